// Made from grandtour.games.word_traveler.view_types by `make types`: do not edit.

/** A position as one seat may see it. A spectator's view ends with `result`. */
export interface View {
  city: string;
  places: string[] | null;
  day: number;
  step: Step;
  arrows: number;
  first: number;
  /** The number of journeys of the day that are over. */
  gone: number;
  limits: Limits;
  clock: Clock | null;
  silent: Silence | null;
  score: number;
  souvenirs: Souvenir[];
  rating: string;
  players: Player[];
  journey: Journey | null;
  sheets: Sheet[];
  /** The names for the team, from no souvenir to all six. */
  chart: string[];
  best_clue: BestClue | null;
  result: number[] | null;
  you?: number;
  /** The viewer's own map; null until the sand timer starts. */
  map?: string | null;
  plan?: Plan;
}

export type Step = 'ready' | 'plan' | 'guess' | 'over';

/** Seconds to plan and to discuss; 0 for no limit. */
export interface Limits {
  planning: number;
  discussion: number;
}

/** The running clock, and the seconds it was set to. */
export interface Clock {
  of: Timed;
  seconds: number;
  /** Changes each time it restarts. */
  run: number;
}

export type Timed = 'planning' | 'discussion';

/** The seats that may not talk now, and why. */
export interface Silence {
  seats: number[];
  rule: string;
  reason: string;
}

export interface Souvenir {
  at: number;
  collected: boolean;
}

export interface Player {
  seat: number;
  marker: string;
  ready: boolean;
  done: boolean;
  traveled: boolean;
  moved: number;
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

export interface AskedArrow {
  arrow: number;
  to: Way;
  words: string[];
  footprint: string | null;
  placed_by: number | null;
  sure: Sureness | null;
  /** Whether the deciding player has placed it once more, beyond the limit. */
  again: boolean;
  /** Where it can be placed without removing any other footprint. */
  keeps: string[];
}

export type Way = 'north' | 'east' | 'south' | 'west';

export type Sureness = 'guessing' | 'fairly sure' | 'certain';

/** A journey that is over. */
export interface Sheet {
  day: number;
  seat: number;
  start: string;
  map: string;
  arrows: Stop[];
  unused: string[];
  points: number;
}

export interface Stop {
  arrow: number;
  to: Way;
  words: string[];
  meant: string;
  guess: string;
  points: number;
}

export interface BestClue {
  arrow: number;
  to: Way;
  words: string[];
  day: number;
  seat: number;
  space: string;
  choices: number;
  points: number;
}

export interface Plan {
  start: string;
  arrows: PlannedArrow[];
  hand: Card[];
  /** How many arrows would be read if planning ended now. */
  used: number;
  lacks: string | null;
  changes_left: number;
}

export interface PlannedArrow {
  arrow: number;
  aim: string | null;
  to: Way | null;
  words: string[];
}

/** A word card in the viewer's hand; null until it is placed under an arrow. */
export interface Card {
  word: string;
  arrow: number | null;
  side: Side | null;
  /** Its number under its arrow, in the order placed. */
  rank: number | null;
}

export type Side = 'white' | 'black';
