/** The pictures of the four cities. Those of a city are loaded when it is played. */
interface Drawing {
  body: string;
  width: number;
  height: number;
}

type Ground =
  | 'street'
  | 'room'
  | 'table'
  | 'water'
  | 'sky'
  | 'night'
  | 'underground'
  | 'garden'
  | 'ice'
  | 'clay'
  | 'stage'
  | 'fog';

/** An icon, or a drawing of our own, with its middle and its width in a box of 100 by 100. */
type Layer = [picture: Drawing | string, x: number, y: number, size: number];

export interface Scene {
  place: string;
  ground: Ground;
  /** The description for screen readers; it says no more than the picture does. */
  text: string;
  layers: Layer[];
}

const cities: Record<string, () => Promise<{ scenes: (Scene | null)[] }>> = {
  'New York': () => import('./newYork'),
  Paris: () => import('./paris'),
  London: () => import('./london'),
  Tokyo: () => import('./tokyo'),
};

export const scenesOf = async (city: string): Promise<(Scene | null)[]> => (await cities[city]?.())?.scenes ?? [];

/** What the travel guide of a city says of its places, by their names. */
export type Guide = Record<string, string>;

export const guideOf = async (city: string): Promise<Guide> => {
  const { default: facts } = await import('../../../../src/grandtour/games/word_traveler/facts.json');
  return (facts as Record<string, Guide>)[city] ?? {};
};
