/** How a card looks, from its name and the names of the other cards: always the same colour, shape and letters. */
import type { Section } from './layout';

const COLOURS = [
  'var(--vermilion)',
  'var(--teal)',
  'var(--mustard)',
  'var(--navy)',
  'var(--olive)',
  'var(--plum)',
  'var(--orange)',
  'var(--rose)',
  '#3d87a6',
  '#8a5a34',
  '#7d6bb0',
];

/** A card whose name contains a colour has that colour. */
const SAID: Record<string, string> = {
  red: 'var(--vermilion)',
  yellow: 'var(--mustard)',
  orange: 'var(--orange)',
  green: 'var(--olive)',
  blue: 'var(--navy)',
  purple: 'var(--plum)',
  pink: 'var(--rose)',
  brown: '#6b4a2b',
  grey: '#5b6470',
  gray: '#5b6470',
  black: '#1d2b3a',
  white: '#b9ad95',
};

/** Seals in a box of 100 by 100, each with room for two letters in the middle. */
const SHAPES = [
  'M50 8a42 42 0 1 1 0 84 42 42 0 1 1 0-84z',
  'M50 2 98 50 50 98 2 50z',
  'M50 5 90 28v44L50 95 10 72V28z',
  'M12 9h76v44q0 29-38 41-38-12-38-41z',
  'M14 93V50q0-42 36-42t36 42v43z',
  'M50 3 62 18 82 18 82 38 97 50 82 62 82 82 62 82 50 97 38 82 18 82 18 62 3 50 18 38 18 18 38 18z',
  'M50 14c14-16 46 0 36 22 20 10 14 46-10 44-8 20-44 20-52 0-24 2-30-34-10-44C4 14 36-2 50 14z',
  'M4 20h92v19a11 11 0 0 0 0 22v19H4V61a11 11 0 0 0 0-22z',
  'M50 3q42 32 42 56a42 37 0 0 1-84 0Q8 35 50 3z',
];

/** The colours of the seats, as in the list of players. */
const SEATS = ['var(--vermilion)', 'var(--navy)', 'var(--olive)', 'var(--plum)', 'var(--teal)', '#6b4a2b'];
export const seatColour = (seat: number): string => SEATS[seat % SEATS.length]!;

/** A hash of a text: FNV-1a, mixed once more so that all bits are well distributed. */
export function numberOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The name of a card without its number, in lower case: "Coral 3" and "Coral 7" are of one kind. */
const kindOf = (name: string): string => (name.replace(/\d+/g, '').trim() || name).toLowerCase();
const familyOf = (name: string): string => kindOf(name).split(/[\s-]+/)[0]!;
const saidBy = (name: string): string | undefined => {
  const word = kindOf(name).split(/[\s-]+/).find((one) => one in SAID);
  return word && SAID[word];
};

const given = new Map<string, string>();

/** Gives each kind of card in a game a colour. Two share one only if there are more kinds than colours. */
export function giveColours(names: string[]): void {
  given.clear();
  const said = new Set(names.map(saidBy));
  let free = COLOURS.filter((colour) => !said.has(colour));
  for (const name of names) {
    const family = familyOf(name);
    if (saidBy(name) || given.has(family)) continue;
    if (!free.length) free = [...COLOURS];
    const first = numberOf(family) % COLOURS.length;
    const inTurn = [...COLOURS.slice(first), ...COLOURS.slice(0, first)];
    const colour = inTurn.find((one) => free.includes(one))!;
    given.set(family, colour);
    free = free.filter((one) => one !== colour);
  }
}

export interface Look {
  colour: string;
  shape: string;
  /** The number in its name, or up to two initials. */
  letters: string;
}

/**
 * "Coral 3" and "Coral 7" are of one kind: same colour and shape, and the number tells them apart.
 * "Castle" and "Castle stamp" are related: same colour.
 */
export function lookOf(name: string): Look {
  const figure = /\d+/.exec(name)?.[0];
  const kind = name.replace(/\d+/g, '').trim();
  const hash = numberOf(kindOf(name));
  const family = familyOf(name);
  const parts = (kind || name).split(/[\s-]+/).filter((part) => /^\p{L}/u.test(part));
  const initials = parts.length > 1 ? parts[0]!.charAt(0) + parts[1]!.charAt(0) : (parts[0] ?? name).slice(0, 2);
  return {
    colour: saidBy(name) ?? given.get(family) ?? COLOURS[numberOf(family) % COLOURS.length]!,
    shape: SHAPES[Math.floor(hash / COLOURS.length) % SHAPES.length]!,
    letters: figure && figure.length < 4 ? figure : initials.charAt(0).toUpperCase() + initials.slice(1),
  };
}

/** How large a name may be printed on a card, in hundredths of its width: its longest word has to fit. */
export function nameSize(name: string): number {
  const longest = Math.max(1, ...name.split(/[\s-]+/).map((word) => word.length));
  return Math.min(name.length > 22 ? 11 : 15.5, 138 / longest);
}

/** Every face-up card with its colour, in which the log prints its name. */
export function cardColours(layout: Section[]): Record<string, string> {
  const names = layout.flatMap((one) => (one.kind === 'cards' ? one.cards : one.kind === 'pile' ? [one.top] : []));
  return Object.fromEntries(names.flatMap((name) => (name ? [[name, lookOf(name).colour]] : [])));
}
