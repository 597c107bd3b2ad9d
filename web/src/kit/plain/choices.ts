/** Which things on the table a legal move names: pressing them plays it. */
import type { LegalMove, Move } from '../protocol';
import type { Section } from './layout';

export interface Choice extends LegalMove {
  /** The keys of everything it names. */
  things: string[];
  /** Whether a press on the things it names is unambiguous. */
  sure: boolean;
}

const plain = (name: string): string => name.trim().toLowerCase();

/** The key of a thing: all cards of one name in one section are the same to a move. */
export const keyOf = (at: number, name: string): string => `${at}:${plain(name)}`;

/** The names of the things in a section. */
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

const fieldsOf = ({ do: verb, ...fields }: Move): { field: string; texts: string[] }[] =>
  Object.entries(fields).map(([field, value]) => ({ field: `${verb}.${field}`, texts: textsIn(value).map(plain) }));

const hasWord = (text: string, word: string): boolean => ` ${plain(text)} `.replace(/[^\p{L}\p{N}]+/gu, ' ').includes(` ${plain(word)} `);

/** The sections in which the values of a verb's fields have always been so far, by name. */
export type Sources = Map<string, Set<string>>;

const nameOf = (section: Section): string => `${section.title}/${section.owner}`;

/** Every value that a field may have lies in the section it comes from: with each position fewer sections are left. */
function learn(sources: Sources, legal: LegalMove[], layout: Section[], names: Set<string>[]): void {
  const values = new Map<string, Set<string>>();
  for (const { move } of legal)
    for (const { field, texts } of fieldsOf(move))
      values.set(field, new Set([...(values.get(field) ?? []), ...texts]));
  for (const [field, all] of values) {
    const held = layout.filter((_, at) => [...all].every((one) => names[at]!.has(one))).map(nameOf);
    const known = sources.get(field);
    sources.set(field, new Set(known ? held.filter((one) => known.has(one)) : held));
  }
}

export function choicesOf(legal: LegalMove[], layout: Section[], sources: Sources): Choice[] {
  const names = layout.map((section) => new Set(namesIn(section).map(plain)));
  const everywhere = layout.map((_, at) => at);

  learn(sources, legal, layout, names);

  return legal.map(({ move, text }) => {
    const fields = fieldsOf(move);
    // "From the Market" tells a Fig in the market from a Fig in hand.
    const titles = new Set(fields.flatMap(({ texts }) => texts));
    const within = everywhere.filter((at) => titles.has(plain(layout[at]!.title)));
    let sure = true;
    const things = fields.flatMap(({ field, texts }) =>
      texts.flatMap((one) => {
        const lying = everywhere.filter((at) => names[at]!.has(one));
        const usual = everywhere.filter((at) => sources.get(field)?.has(nameOf(layout[at]!)));
        const [found = []] = [within, usual, everywhere]
          .map((places) => lying.filter((at) => places.includes(at)))
          .filter((places) => places.length > 0);
        // On the table it makes no difference, but a card in a player's hand could be meant for something else.
        if (found.length > 1 && found.some((at) => layout[at]!.owner !== null)) sure = false;
        return found.map((at) => keyOf(at, one));
      }),
    );
    if (!things.length)
      for (const at of everywhere)
        if (layout[at]!.kind === 'pile' && hasWord(text, layout[at]!.title)) things.push(keyOf(at, layout[at]!.title));
    return { move, text, things: [...new Set(things)], sure };
  });
}

export interface Group {
  verb: string;
  choices: Choice[];
}

/** The moves grouped by verb, in their original order. */
export function grouped(choices: Choice[]): Group[] {
  const groups = new Map<string, Choice[]>();
  for (const choice of choices) groups.set(choice.move.do, [...(groups.get(choice.move.do) ?? []), choice]);
  return [...groups].map(([verb, found]) => ({ verb, choices: found }));
}
