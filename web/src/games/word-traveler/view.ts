/** A Word Traveler position as the server shows it to one seat, and helpers for it. */
export type * from '../../generated/word-traveler';

export const SIZE = 7;
export const SPACES = Array.from({ length: SIZE * SIZE }, (_, index) => nameOf(index));

/** The name of a space: its column, A to G from the west, and its row, 1 to 7 from the north. */
export function nameOf(index: number): string {
  return 'ABCDEFG'[index % SIZE]! + (Math.floor(index / SIZE) + 1);
}

export const indexOf = (space: string): number =>
  'ABCDEFG'.indexOf(space[0]!) + SIZE * (Number(space.slice(1)) - 1);

export interface Spot {
  x: number;
  y: number;
}

/** The middle of a space on a board of 700 by 700. */
export function middleOf(space: string): Spot {
  const index = indexOf(space);
  return { x: 100 * (index % SIZE) + 50, y: 100 * Math.floor(index / SIZE) + 50 };
}

/** The colours of the seats, as in the list of players. */
export const SEAT_COLOURS = ['var(--vermilion)', 'var(--navy)', 'var(--olive)', 'var(--plum)', 'var(--teal)'];

/** A path over the board, stop by stop. */
export interface Path {
  start: string;
  stops: (string | null)[];
  colour: string;
  /** Meant, not made. */
  faint?: boolean;
}

export interface Footprint {
  number: number;
  space: string;
  by: number | null;
}
