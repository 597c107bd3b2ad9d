/** What is printed on the cards and the board, from the game's own data, and how days and sums are written. */
import { numeral } from '../../kit/numbers';
import type { Move } from '../../kit/protocol';
import data from '../../../../src/grandtour/games/journey_istanbul/parts.json';

export type Kind = 'police' | 'journey' | 'work';

export interface EventCard {
  name: string;
  day: string;
  kind: Kind;
  place: string | null;
  amount: number;
}

export interface Task {
  name: string;
  /** A place for every circle. */
  circles: string[];
  task: string;
  story: string;
  rule: string;
  bonus?: string;
}

export const DAYS = data.sheet.days;
export const WEEKS = data.sheet.weeks;
export const LAST_DAY = WEEKS * DAYS.length;
export const PLACES = data.neighbourhoods.map((place) => place.name);
/** How many event cards one may look at in a place. */
export const EYES = Object.fromEntries(data.neighbourhoods.map((place) => [place.name, place.eyes]));
/** Where something may be organised. */
export const BUSY = data.raided.more;

/** `3rd-journey-Fatih-12000` or `3rd-police-4000`. */
export function cardOf(name: string): EventCard {
  const [day = '', kind = '', ...rest] = name.split('-');
  return {
    name,
    day,
    kind: kind as Kind,
    place: rest.length > 1 ? rest[0]! : null,
    amount: Number(rest.at(-1)),
  };
}

const written: [Kind, { day: string; place?: string; amount: number }[]][] = [
  ['police', data.events.police.map((one) => ({ ...one, amount: one.fine }))],
  ['journey', data.events.journey.map((one) => ({ ...one, amount: one.cost }))],
  ['work', data.events.work.map((one) => ({ ...one, amount: one.wage }))],
];

/** The event cards by day. Everyone knows these, but not where they lie. */
export const CARDS: Record<string, string[]> = Object.fromEntries(
  DAYS.map((day) => [
    day,
    written.flatMap(([kind, cards]) =>
      cards.filter((one) => one.day === day).map((one) => [day, kind, one.place, one.amount].filter(Boolean).join('-')),
    ),
  ]),
);

export const CARD_COUNT = Object.values(CARDS).flat().length;

/** Every amount printed on a card. */
export const SUMS = [...new Set(written.flatMap(([, cards]) => cards.map((one) => one.amount)))].sort((a, b) => a - b);
export const PRICES = data.talk.prices;
export const NOTES = data.planner.notes;

/** The moves that put a statement together. */
export function claim(name: string): Move[] {
  const card = cardOf(name);
  const subject = card.place ? `${card.kind}-${card.place}` : card.kind;
  return [
    { do: 'claim', subject },
    { do: 'amount', amount: card.amount },
  ];
}

export const lira = (amount: number): string => `${numeral(amount)}\u00a0TL`;

export const codeOf = (place: string): string => place.slice(0, 3).toLocaleUpperCase(place === 'Kadıköy' ? 'tr' : 'en');

export const kindNames: Record<Kind, string> = { police: 'Police raid', journey: 'Journey', work: 'Work' };

/** In a few words: "a journey from Fatih for 12 000 TL". */
export function told(name: string): string {
  const card = cardOf(name);
  if (card.kind === 'police') return `a police raid with a fine of ${lira(card.amount)}`;
  return `${card.kind === 'journey' ? 'a journey from' : 'work in'} ${card.place} for ${lira(card.amount)}`;
}

export const weekOf = (day: number): number => Math.floor((day - 1) / DAYS.length) + 1;
export const dayName = (day: number): string => DAYS[(day - 1) % DAYS.length]!;

/** "today", "tomorrow", "on the 4th day", with the week where it is another one. */
export function when(day: number, today: number): string {
  if (day === today) return 'today';
  if (day === today + 1) return 'tomorrow';
  const week = weekOf(day) === weekOf(today) ? '' : ` of week ${weekOf(day)}`;
  return `on the ${dayName(day)} day${week}`;
}

/** The windows still open of a task: "Fatih, exactly tomorrow". */
export function windowText(place: string, days: number[] | null, today: number): string {
  if (days === null) return `${place}, on any day`;
  if (days.length === 0) return `${place}, but first go away from there`;
  if (days.length === 1) return `${place}, exactly ${when(days[0]!, today)}`;
  const names = days.map((day) => when(day, today));
  return `${place}, ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

export const tasks: Record<string, Task> = Object.fromEntries(
  [...data.obstacles, ...data.opportunities].map((task) => [task.name, task]),
);

/** One or two letters that tell the players apart. */
export function letterOf(names: string[], seat: number): string {
  const first = (name: string | undefined) => (name || '?').slice(0, 1).toUpperCase();
  const own = first(names[seat]);
  return names.some((name, other) => other !== seat && first(name) === own) ? `${own}${seat + 1}` : own;
}

export const colourOf = (seat: number): string =>
  ['var(--vermilion)', 'var(--navy)', 'var(--olive)', 'var(--plum)', 'var(--teal)'][seat % 5]!;
