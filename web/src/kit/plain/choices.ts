/** Which things on the table a legal move names: pressing them plays it. */
import type { LegalMove } from '../protocol';
import type { Section } from './layout';

export interface Choice extends LegalMove {
  /** The keys of everything it names. */
  things: string[];
  /** Each thing it names lies in one section only, so that a press can mean nothing else. */
  sure: boolean;
}

const plain = (name: string): string => name.trim().toLowerCase();

/** The key of a thing: all cards of one name in one section are the same to a move. */
export const keyOf = (at: number, name: string): string => `${at}:${plain(name)}`;

/** The words that a section's things go by. */
function namesIn(section: Section): string[] {
  switch (section.kind) {
    case 'cards':
      return section.cards.filter((card) => card !== null);
    case 'track':
      return section.places;
    case 'pile':
      return section.top === null ? [section.title] : [section.title, section.top];
    case 'count':
      return [];
  }
}

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value.flatMap(textsIn) : [];

export function choicesOf(legal: LegalMove[], layout: Section[]): Choice[] {
  const lying = new Map<string, number[]>();
  layout.forEach((section, at) => {
    for (const name of new Set(namesIn(section).map(plain))) lying.set(name, [...(lying.get(name) ?? []), at]);
  });
  const titled = (text: string) => layout.flatMap((section, at) => (plain(section.title) === plain(text) ? [at] : []));

  return legal.map(({ move, text }) => {
    const { do: _, ...fields } = move;
    const texts = Object.values(fields).flatMap(textsIn);
    // "From the Market" tells a Fig in the market from a Fig in hand.
    const within = new Set(texts.flatMap(titled));
    let sure = true;
    const things = texts.flatMap((one) => {
      const all = lying.get(plain(one)) ?? [];
      const inside = all.filter((at) => within.has(at));
      const found = inside.length ? inside : all;
      if (found.length > 1) sure = false;
      return found.map((at) => keyOf(at, one));
    });
    return { move, text, things: [...new Set(things)], sure };
  });
}

export interface Group {
  verb: string;
  choices: Choice[];
}

/** The moves by what they do, in the order in which they came. */
export function grouped(choices: Choice[]): Group[] {
  const groups = new Map<string, Choice[]>();
  for (const choice of choices) groups.set(choice.move.do, [...(groups.get(choice.move.do) ?? []), choice]);
  return [...groups].map(([verb, found]) => ({ verb, choices: found }));
}
