import { cardColours } from './look';
import type { Section } from './layout';

/** The cards that were seen at this table, in their colours: what the log prints their names in. */
export const seenColours = $state<Record<string, string>>({});

export function learnColours(layout: Section[]): void {
  Object.assign(seenColours, cardColours(layout));
}

/** Another table, perhaps of another game. */
export function forgetColours(): void {
  for (const name of Object.keys(seenColours)) delete seenColours[name];
}
