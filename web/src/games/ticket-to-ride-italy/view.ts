/** A position of Ticket to Ride: Italy as the server shows it to one seat, and helpers for it. */
import { numeral } from '../../kit/numbers';

export type * from '../../generated/ticket-to-ride-italy';

/** A ticket's name in a sentence. */
export const written = (ticket: string): string => ticket.replace('-', '–');

export const plural = (count: number, word: string): string => `${numeral(count)} ${word}${count === 1 ? '' : 's'}`;

/** "Ada, Bo and Cy" */
export function listed(words: string[], link = 'and'): string {
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} ${link} ${words.at(-1)}` : (words[0] ?? '');
}
