// Made from grandtour.engine.kit.view_types by `make types`: do not edit.

/** A position as one seat may see it: sections in the order in which they are drawn. */
export interface View {
  layout: Section[];
  /** The names of all cards, as the game declares them: the page gives each kind its own colour. */
  kinds?: string[];
  turn: number | null;
  round: number;
}

export type Section = Cards | Pile | Track | Count;

/** A row, a hand or a display. A card that lies face down has no name here. */
export interface Cards {
  kind: 'cards';
  title: string;
  owner: number | null;
  count: number;
  cards: (string | null)[];
}

export interface Pile {
  kind: 'pile';
  title: string;
  owner: number | null;
  count: number;
  /** The face-up card on top. */
  top: string | null;
  /** All cards from the top down, if the viewer knows some below the top; unknown ones are None. */
  known?: (string | null)[];
}

export interface Track {
  kind: 'track';
  title: string;
  owner: null;
  places: string[];
  tokens: Token[];
}

export interface Token {
  seat: number;
  at: number;
}

export interface Count {
  kind: 'count';
  title: string;
  owner: number | null;
  count: number;
}
