// Made from grandtour.games.itchy_feet.view_types by `make types`: do not edit.

/** A position as one seat may see it. A spectator's view ends with `ended`. */
export interface View {
  variant: 'classic' | 'bucket-list';
  extensions: Extensions;
  turn: number;
  step: Step;
  round: number;
  turn_limit: number;
  starter: number;
  actions: number;
  offers_left: number;
  centre: string | null;
  unused: Unused;
  draw_pile: DrawPile;
  discards: Counted[];
  players: PlayerView[];
  payment: Payment | null;
  trade: Trade | null;
  reaction: Reaction | null;
  result: number[] | null;
  ended: Ending | null;
  you?: number;
  hand?: string[];
  top?: KnownCard[];
  /** The cards that the viewer is looking at now. */
  looking?: string[];
  handing_on?: string | null;
}

export interface Extensions {
  events: boolean;
  special_items: boolean;
  forbidden_items: boolean;
  postcards: boolean;
  characters: boolean;
}

export type Step =
  | 'act'
  | 'pay'
  | 'take'
  | 'react'
  | 'pick'
  | 'tray'
  | 'answer'
  | 'look'
  | 'return'
  | 'redraw'
  | 'mix-up'
  | 'limit'
  | 'over';

/** The pile of countries that are not in play; those at its bottom were seen when they were put there. */
export interface Unused {
  count: number;
  bottom: string[];
}

export interface DrawPile {
  count: number;
  shuffled_in: Counted[];
}

export interface Counted {
  card: string;
  count: number;
}

export interface PlayerView {
  seat: number;
  cards: number;
  limit: number;
  known: string[];
  unknown: Unknown;
  character: string | null;
  quiet: boolean;
  chosen: boolean;
  /** Classic: the player's own country. */
  country?: string;
  /** Classic: whether the player has travelled there. */
  visited?: boolean;
  /** Bucket List: where the passport is from. */
  passport?: string;
  /** Bucket List: the countries travelled to. */
  countries?: string[];
}

/** What the viewer can tell about the cards in a hand that it does not know. */
export interface Unknown {
  cards: number;
  /** The maximum number of extension cards among them. */
  others: number;
  /** The maximum number of passports among them. */
  passports: number;
  /** The minimum number of them that were drawn from the current draw pile. */
  drawn: number;
}

/** What the turn's player is paying for, or about to take a card for. */
export interface Payment {
  for: Purpose;
  paid: string[];
  left: number;
  whom?: number;
  country?: string;
}

/** What a payment is for. */
export type Purpose = 'recycle' | 'steal' | 'get-rid' | 'country' | 'post' | 'early-bird' | 'found' | 'travel';

export interface Trade {
  from: number;
  to: number;
  gives: string[];
  wants: string[];
  counters: number;
  counters_left: number;
}

/** What a player may react to, and with which card. Who is asked does not reveal who could react. */
export interface Reaction {
  asked: number;
  to: 'steal' | 'travel';
  seat: number;
  card: string;
  country?: string;
}

export type Ending = 'centre' | 'postcards' | 'countries' | 'limit';

/** A card in the draw pile that the viewer knows, and how many lie above it. */
export interface KnownCard {
  above: number;
  card: string;
}
