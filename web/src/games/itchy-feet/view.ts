/** A position of Itchy Feet as the server shows it to one seat. */
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

export interface Counted {
  card: string;
  count: number;
}

export interface PlayerView {
  seat: number;
  cards: number;
  limit: number;
  known: string[];
  /** The cards not known: how many, at most how many are extension cards or passports, at least how many were drawn lately. */
  unknown: { cards: number; others: number; passports: number; drawn: number };
  character: string | null;
  quiet: boolean;
  chosen: boolean;
  /** Classic: the own country, and whether they have been there. */
  country?: string;
  visited?: boolean;
  /** Bucket List: where the passport is from, and the countries travelled to. */
  passport?: string;
  countries?: string[];
}

export interface Trade {
  from: number;
  to: number;
  gives: string[];
  wants: string[];
  counters: number;
  counters_left: number;
}

export interface Reaction {
  asked: number;
  to: 'steal' | 'travel';
  seat: number;
  card: string;
  country?: string;
}

export interface Payment {
  for: 'recycle' | 'steal' | 'get-rid' | 'country' | 'post' | 'early-bird' | 'found' | 'travel';
  paid: string[];
  left: number;
  whom?: number;
  country?: string;
}

export interface View {
  variant: 'classic' | 'bucket-list';
  extensions: Record<'events' | 'special_items' | 'forbidden_items' | 'postcards' | 'characters', boolean>;
  turn: number;
  step: Step;
  round: number;
  turn_limit: number;
  starter: number;
  actions: number;
  offers_left: number;
  centre: string | null;
  unused: { count: number; bottom: string[] };
  draw_pile: { count: number; shuffled_in: Counted[] };
  discards: Counted[];
  players: PlayerView[];
  payment: Payment | null;
  trade: Trade | null;
  reaction: Reaction | null;
  result: number[] | null;
  ended: 'centre' | 'postcards' | 'countries' | 'limit' | null;
  you?: number;
  hand?: string[];
  top?: { above: number; card: string }[];
  looking?: string[];
  handing_on?: string | null;
}

/** A card with a key of its own, since two may be alike. */
export interface Held {
  key: string;
  card: string;
}

export function withKeys(cards: string[]): Held[] {
  const seen = new Map<string, number>();
  return cards.map((card) => {
    const copy = (seen.get(card) ?? 0) + 1;
    seen.set(card, copy);
    return { card, key: `${card}#${copy}` };
  });
}

/** Where a player is bound for, as far as the table shows it. */
export const goalOf = (view: View, seat: number): string | null => {
  const player = view.players[seat];
  return player?.country && !player.visited ? player.country : view.centre;
};

/** What is left of `all` once each of `some` is taken out. */
export function without(all: string[], some: string[]): string[] {
  const left = [...all];
  for (const one of some) {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

export const counted = (cards: string[]): string => {
  const many = new Map<string, number>();
  for (const card of cards) many.set(card, (many.get(card) ?? 0) + 1);
  return [...many].map(([card, count]) => (count > 1 ? `${count} × ${card}` : card)).join(', ');
};

/** The same for what lies on the tray in plain sight: many cards are only numbered. */
export const named = (cards: string[]): string => (cards.length > 4 ? `${cards.length} cards` : counted(cards));
