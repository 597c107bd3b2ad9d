/** A position of Itchy Feet as the server shows it to one seat, and helpers for it. */
import type { View } from '../../generated/itchy-feet';

export type * from '../../generated/itchy-feet';

/** A card with a key of its own, since two can be equal. */
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
