/** What the server says of a position; see the game's view.py. */
import { numeral } from '../../kit/numbers';

/** Cards by kind, without those that are none. */
export type Counts = Record<string, number>;

export interface Network {
  places: string[];
  /** How often each region counts. */
  regions: Record<string, number>;
  count: number;
  points: number;
}

export interface HeldTicket {
  ticket: string;
  points: number;
  met: boolean;
}

export interface Player {
  seat: number;
  score: number;
  trains: number;
  cards: number;
  known: Counts;
  ferries: number;
  tickets: number;
  drawn: number;
  chosen: boolean;
  barred: string[];
  networks: Network[];
  bonus: number;
  shown: HeldTicket[] | null;
  met: number | null;
}

export interface View {
  turn: number;
  step: 'choose' | 'act' | 'second' | 'keep' | 'over';
  starter: number;
  /** Face up; null for a gap. */
  row: (string | null)[];
  swept: string[];
  deck: number;
  discards: Counts;
  ferries: number;
  ticket_deck: number;
  owners: Record<string, number>;
  closed: string[];
  last_round: number | null;
  players: Player[];
  result: number[] | null;
  you?: number;
  hand?: Counts;
  tickets?: HeldTicket[];
  drawn?: (HeldTicket & { back: boolean })[];
  least?: number;
  returned?: { ticket: string; deck: boolean; seats: number[] }[];
}

/** A ticket's name in a sentence. */
export const written = (ticket: string): string => ticket.replace('-', '–');

export const plural = (count: number, word: string): string => `${numeral(count)} ${word}${count === 1 ? '' : 's'}`;

/** "Ada, Bo and Cy" */
export function listed(words: string[], link = 'and'): string {
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} ${link} ${words.at(-1)}` : (words[0] ?? '');
}
