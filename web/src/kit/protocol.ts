/** The messages of docs/protocol.md, as this page reads and writes them. */

export interface Refusal {
  code: string;
  rule: string | null;
  reason: string;
}

export type Scalar = string | number | boolean;

/** A named move: `{"do": "take", "pile": "Milano"}`. */
export type Move = { do: string } & Record<string, unknown>;

export interface LegalMove {
  move: Move;
  text: string;
}

export interface PromptText {
  text: string;
  rules: string[];
}

/** What happened, as this client may see it: `{"event": "took", "seat": 1, …}`. */
export type GameEvent = { event: string } & Record<string, unknown>;

export interface FinalRow {
  seat: number;
  /** Null where nobody wins: then there is an outcome in words. */
  score: number | null;
  won: boolean;
  lines: { label: string; value: Scalar }[];
  outcome?: string | null;
}

export interface Now<View = unknown> {
  n: number;
  view: View | null;
  legal: LegalMove[];
  prompt: PromptText | null;
  waiting: number[];
  undo: boolean;
  result: number[] | null;
  final: FinalRow[] | null;
  clock: unknown;
}

/** Seats that may not talk just now, and why; a view says so. */
export interface Silence {
  seats: number[];
  rule: string | null;
  reason: string;
}

export interface Seat {
  seat: number;
  name: string;
  kind: 'open' | 'person' | 'bot';
  bot: string | null;
  here: boolean;
  /** For how many seconds a person had been away when this was sent. */
  away?: number | null;
  /** The same as a time of this browser's clock. */
  since?: number | null;
}

export interface Table {
  table: string;
  game: string;
  title: string;
  seats: Seat[];
  state: 'waiting' | 'playing' | 'over';
  made: string | number;
  options?: Record<string, Scalar>;
  seal?: string | null;
  result?: number[] | null;
  host?: number | null;
  /** Whether those who play here may ask for hints. */
  hints?: boolean;
  /** Seconds after which a bot moves for someone who is away while others wait; 0 is never. */
  patience?: number;
}

export type EventKind = 'start' | 'move' | 'undo' | 'seat' | 'say' | 'over';

export interface TableEvent {
  type: 'event';
  n: number;
  kind: EventKind;
  seat?: number | null;
  by?: 'person' | 'bot' | 'clock' | 'stand-in';
  events?: GameEvent[];
  text?: string | string[];
  move?: Move | null;
  back?: number;
  seal?: string;
  result?: number[];
  secret?: string;
}

/** What the hard bot would do in our seat, after event `n`. `own`: the choices of the game's own bot. */
export interface Hint {
  n: number;
  own: boolean;
  /** How often the bot looked ahead. */
  looked: number;
  moves: { move: Move; text: string; share: number; cost: number | null }[];
}

export type FromServer =
  | { type: 'welcome'; table: Table; seat: number | null; last: number }
  | TableEvent
  | ({ type: 'now' } & Now)
  | { type: 'ack'; id: string; n: number }
  | ({ type: 'hint'; id: string } & Hint)
  | ({ type: 'refused'; id: string | null } & Refusal)
  | { type: 'table'; table: Table }
  | { type: 'notice'; reason: string | null }
  | { type: 'pong' };

/** What a client may ask for; the line adds the id. */
export type Asking =
  | { type: 'move'; at: number; move: Move }
  | { type: 'undo'; at: number }
  | { type: 'bot'; seat: number; bot: string | null }
  | { type: 'free'; seat: number }
  | { type: 'start' }
  | { type: 'hint' }
  | { type: 'say'; text: string };

export interface OptionInfo {
  name: string;
  label: string;
  help: string;
  default: Scalar;
  choices: Scalar[];
}

export interface GameInfo {
  name: string;
  title: string;
  subtitle: string;
  summary: string;
  players: [number, number];
  minutes: number;
  version: number;
  options: OptionInfo[];
  /** The strengths, the weakest first. */
  bots: Strength[];
}

export interface Strength {
  name: string;
  label: string;
}

export interface SeatAsked {
  kind: 'me' | 'open' | 'bot';
  name?: string;
  bot?: string;
}

export interface RulebookText {
  title: string;
  /** The game in a few lines, as HTML. */
  short: string;
  sections: { title: string; paragraphs: { id: string; ruling: boolean; html: string }[] }[];
}

export interface ReplayStep {
  n: number;
  seat: number | null;
  move: Move | null;
  events: GameEvent[];
  text: string[];
  view: unknown;
  prompt: PromptText | null;
}

/** The moments of a seat in a finished match: `done` of `of` decisions have been looked at so far. */
export interface Moments {
  seat: number;
  done: number;
  of: number;
  over: boolean;
  moments: Moment[];
}

export interface Moment {
  /** The replay's step of the move. */
  n: number;
  played: string;
  better: string;
  /** How much of a result it gave away, from 0 to 1. */
  cost: number;
}

export interface ReplayText {
  game: string;
  options: Record<string, Scalar>;
  names: string[];
  seal: string | null;
  steps: ReplayStep[];
  final?: FinalRow[] | null;
  result?: number[] | null;
}
