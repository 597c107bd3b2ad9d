/** A Word Traveler position as the server shows it to one seat. */
export type Way = 'north' | 'east' | 'south' | 'west';
export type Side = 'white' | 'black';
export type Sureness = 'guessing' | 'fairly sure' | 'certain';

export interface Card {
  word: string;
  arrow: number | null;
  side: Side | null;
  /** Which one it is under its arrow, in the order laid. */
  rank: number | null;
}

export interface PlannedArrow {
  arrow: number;
  aim: string | null;
  to: Way | null;
  words: string[];
}

export interface Plan {
  start: string;
  arrows: PlannedArrow[];
  hand: Card[];
  used: number;
  lacks: string | null;
  changes_left: number;
}

export interface AskedArrow {
  arrow: number;
  to: Way;
  words: string[];
  footprint: string | null;
  placed_by: number | null;
  sure: Sureness | null;
  /** The one who decides has placed it once more, beyond the limit. */
  again: boolean;
  keeps: string[];
}

export interface Journey {
  seat: number;
  start: string;
  arrows: AskedArrow[];
  unused: string[];
  agreed: number[];
  left_neighbour: number;
  deciding: boolean;
}

export interface Stop {
  arrow: number;
  to: Way;
  words: string[];
  meant: string;
  guess: string;
  points: number;
}

export interface Sheet {
  day: number;
  seat: number;
  start: string;
  map: string;
  arrows: Stop[];
  unused: string[];
  points: number;
}

export interface BestClue {
  day: number;
  seat: number;
  space: string;
  choices: number;
  arrow: number;
  to: Way;
  words: string[];
  points: number;
}

export interface View {
  you?: number;
  city: string;
  places: string[] | null;
  day: number;
  step: 'ready' | 'plan' | 'guess' | 'over';
  arrows: number;
  first: number;
  /** How many journeys of the day are over. */
  gone: number;
  /** Seconds to plan and to discuss; 0 for no limit. */
  limits: { planning: number; discussion: number };
  clock: { of: 'planning' | 'discussion'; seconds: number } | null;
  score: number;
  souvenirs: { at: number; collected: boolean }[];
  rating: string;
  players: { seat: number; marker: string; ready: boolean; done: boolean; traveled: boolean; moved: number }[];
  journey: Journey | null;
  sheets: Sheet[];
  /** What the team are called, from no souvenir to all six. */
  chart: string[];
  best_clue: BestClue | null;
  /** One's own; null until the sand timer starts. */
  map?: string | null;
  plan?: Plan;
  result: number[] | null;
}

/** What runs out, and how much of it is left. */
export interface ClockNow {
  of: string;
  seconds: number;
  left: number;
}

export const SIZE = 7;
export const SPACES = Array.from({ length: SIZE * SIZE }, (_, index) => nameOf(index));
export const CENTRE = 'D4';

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
