/** What the view of a game without a board of its own may declare: `layout`, its sections in the order they are drawn. */
import type { Section, View } from '../../generated/kit';

export type { Cards, Pile, Section, Track } from '../../generated/kit';

/** How many numbers of each seat the list of players has room for. */
export const LISTED = 3;

export type PlainView = Partial<View> & Record<string, unknown>;

/** A section and its place in the layout, which is part of the name of everything in it. */
export interface Placed<Kind extends Section = Section> {
  at: number;
  section: Kind;
}

export const layoutOf = (view: unknown): Section[] | null => {
  const layout = (view as PlainView | null)?.layout;
  return Array.isArray(layout) ? layout : null;
};

export const placed = (layout: Section[]): Placed[] => layout.map((section, at) => ({ at, section }));

const KINDS = { cards: 'card', pile: 'card' } as const;

/** A section in words: "Hand: 3 cards", "Score: 7", "Line: Pisa". */
export function inWords(section: Section, seat: number | null): string {
  if (section.kind === 'track') {
    const here = section.tokens.filter((token) => seat === null || token.seat === seat);
    return `${section.title}: ${here.map((token) => section.places[token.at] ?? '').join(', ')}`;
  }
  const unit = section.kind === 'count' ? '' : ` ${KINDS[section.kind]}${section.count === 1 ? '' : 's'}`;
  return `${section.title}: ${section.count}${unit}`;
}

/** What is to be shown of a view that declares nothing: its plain values, one level deep. */
export function plainValues(view: Record<string, unknown>): { label: string; value: string }[] {
  const HIDDEN = new Set(['layout', 'turn', 'silent', 'clock']);
  const plain = (value: unknown): string | null => {
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
    if (typeof value === 'number' || typeof value === 'string') return String(value);
    if (!Array.isArray(value)) return null;
    const parts = value.map(plain);
    return parts.some((part) => part === null) ? null : parts.join(', ') || 'none';
  };
  const listed = (entries: [string, unknown][], before: string): { label: string; value: string }[] =>
    entries.flatMap(([name, value]) => {
      const label = before + words(name);
      const shown = plain(value);
      if (shown !== null) return [{ label, value: shown }];
      return value && typeof value === 'object' && !before ? listed(Object.entries(value), `${label}: `) : [];
    });
  return listed(
    Object.entries(view).filter(([name]) => !HIDDEN.has(name)),
    '',
  );
}

/** A name from code as people write it: "end-turn" is "End turn". */
export function words(name: string): string {
  const spaced = name.replace(/[-_]+/g, ' ');
  return spaced.slice(0, 1).toUpperCase() + spaced.slice(1);
}
