// Made from grandtour.games.round_trip.view_types by `make types`: do not edit.

/** A position as one seat may see it. A spectator's view ends with `result`. */
export interface View {
  turn: number;
  step: Step;
  round: number;
  turn_limit: number;
  extra: boolean;
  starter: number;
  selection: Selection;
  piles: Pile[];
  players: PlayerView[];
  offer: Offer | null;
  result: number[] | null;
  you?: number;
  hand?: string[];
  mixed?: Mixed[];
  bottoms?: Bottom[];
  neighbours?: Partial<Record<Side, Neighbour>>;
}

export type Step = 'take' | 'act' | 'lay' | 'give' | 'over';

/** The face-up selection card, and how many are left to turn over. */
export interface Selection {
  cities: string[];
  left: number;
}

export interface Pile {
  city: string;
  count: number;
}

export interface PlayerView {
  seat: number;
  tickets: number;
  /** How many tickets of each pile the player holds. */
  backs: Record<string, number>;
  trips: Trip[];
  /** Tickets in this hand whose fronts the viewer knows. */
  known: string[];
}

/** A round trip that was made; `extra` says whether it earned an extra turn. */
export interface Trip {
  length: number;
  tickets: string[];
  cities: string[];
  extra: boolean;
}

/** A ticket on offer: its back, the city wanted for it, and for its owner which ticket it is. */
export interface Offer {
  from: number;
  to: number;
  back: string;
  wanted: string;
  ticket?: string;
}

/** Tickets that some players hold together. The viewer does not know who holds which. */
export interface Mixed {
  pile: string;
  tickets: string[];
  /** The number of further tickets of this pile among them that the viewer does not know. */
  others: number;
  /** How many of all these tickets each seat holds. */
  holders: Record<string, number>;
}

/** A ticket in a pile that the viewer knows, and how many lie above it. */
export interface Bottom {
  pile: string;
  ticket: string;
  above: number;
}

export type Side = 'left' | 'right';

export interface Neighbour {
  seat: number;
  circle: Circle;
}

export type Circle = 'black' | 'grey';
