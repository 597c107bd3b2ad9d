// Made from grandtour.games.ticket_to_ride_italy.view_types by `make types`: do not edit.

/** A position as one seat may see it. A spectator's view ends with `result`. */
export interface View {
  turn: number;
  step: Step;
  starter: number;
  /** The face-up cards; null is a gap. */
  row: (string | null)[];
  swept: string[];
  deck: number;
  discards: Counts;
  ferries: number;
  ticket_deck: number;
  /** The claimed routes, and the seat that owns each. */
  owners: Counts;
  closed: string[];
  last_round: number | null;
  players: Player[];
  result: number[] | null;
  you?: number;
  hand?: Counts;
  tickets?: HeldTicket[];
  drawn?: DrawnTicket[];
  /** How many of the drawn tickets the viewer must keep. */
  least?: number;
  returned?: ReturnedTicket[];
}

export type Step = 'choose' | 'act' | 'second' | 'keep' | 'over';

/** Cards by kind, without kinds that are missing. */
export type Counts = Record<string, number>;

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
  /** Routes that others can still claim and this player cannot. */
  barred: string[];
  networks: Network[];
  bonus: number;
  /** The player's tickets, once the game is over. */
  shown: HeldTicket[] | null;
  met: number | null;
}

export interface Network {
  places: string[];
  /** How often each region counts (once or twice). */
  regions: Counts;
  count: number;
  points: number;
}

export interface HeldTicket {
  ticket: string;
  points: number;
  met: boolean;
}

export interface DrawnTicket {
  ticket: string;
  points: number;
  met: boolean;
  /** Whether it will be given back. */
  back: boolean;
}

/** A ticket that the viewer gave back, and where it can be: in the deck or with one of these seats. */
export interface ReturnedTicket {
  ticket: string;
  deck: boolean;
  seats: number[];
}
