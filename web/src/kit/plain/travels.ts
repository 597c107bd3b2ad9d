/** Cards travel from where they lay to where they lie in the next position, whatever the game's events are called. */
import { departs } from '../motion.svelte';
import { keyOf } from './choices';
import type { Section } from './layout';

export interface Item {
  /** One card of a section; several of one name are numbered. */
  key: string;
  name: string | null;
  /** The key by which moves refer to it. */
  thing: string;
  /** The number of equal cards that are drawn as one. */
  many: number;
}

function itemsOf(at: number, cards: (string | null)[]): Item[] {
  const seen = new Map<string, number>();
  return cards.map((name) => {
    const thing = keyOf(at, name ?? '');
    const number = (seen.get(thing) ?? 0) + 1;
    seen.set(thing, number);
    return { key: `${thing}#${number}`, name, thing, many: 1 };
  });
}

/** The same with all cards of one name as one: to a move they are. */
function stacksOf(at: number, cards: (string | null)[]): Item[] {
  const stacks = new Map<string, Item>();
  for (const item of itemsOf(at, cards)) {
    const stack = stacks.get(item.thing);
    if (stack) stack.many++;
    else stacks.set(item.thing, item);
  }
  return [...stacks.values()];
}

const MAX_UNSTACKED = 5;

/** What is drawn of a row: in a long one, equal cards are stacked. */
export const drawnOf = (at: number, cards: (string | null)[]): Item[] =>
  (cards.length > MAX_UNSTACKED ? stacksOf : itemsOf)(at, cards);

const openCards = (layout: Section[]): (Item & { at: number })[] =>
  layout.flatMap((one, at) => (one.kind === 'cards' ? itemsOf(at, one.cards).map((item) => ({ ...item, at })) : []));

/** Call this while the old position is still on the page. */
export function depart(before: Section[], after: Section[]): void {
  const [old, fresh] = [openCards(before), openCards(after)];
  const stays = new Set(fresh.map((item) => item.key));
  const was = new Set(old.map((item) => item.key));
  const gone = old.filter((item) => !stays.has(item.key));
  const shrunk = before.flatMap((one, at) => {
    const next = after[at];
    return one.kind === 'pile' && next?.kind === 'pile' && next.count < one.count ? [`pile:${at}`] : [];
  });
  for (const item of fresh) {
    if (was.has(item.key)) continue;
    const from = gone.findIndex((other) => other.name === item.name && other.at !== item.at);
    const [source] = from < 0 ? [] : gone.splice(from, 1);
    const place = source ? `card:${source.key}` : shrunk[0];
    if (place) departs(item.key, place);
  }
  after.forEach((one, at) => {
    const old = before[at];
    if (one.kind !== 'track' || old?.kind !== 'track') return;
    for (const token of one.tokens) {
      const was = old.tokens.find((other) => other.seat === token.seat);
      if (was && was.at !== token.at) departs(tokenKey(at, token.seat, token.at), tokenKey(at, token.seat, was.at));
    }
  });
}

export const tokenKey = (at: number, seat: number, place: number): string => `token:${at}:${seat}:${place}`;
