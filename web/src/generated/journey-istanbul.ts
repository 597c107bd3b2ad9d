// Made from grandtour.games.journey_istanbul.view_types by `make types`: do not edit.

/** A position as one seat may see it. A spectator's view ends with `result`. */
export interface View {
  phase: Phase;
  step: Step;
  turn: number;
  /** Whom the turn's player waits for after asking everybody for money. */
  asked: number | null;
  day: number;
  last_day: number;
  date: string;
  starter: number;
  looks: number;
  ranked: boolean;
  places: Place[];
  sheet: Row[];
  deck: Deck;
  discards: Discards;
  players: Person[];
  offer: EveningOffer | null;
  evening: Evening | null;
  questions: Question[];
  requests: Request[];
  ending: Ending | null;
  result: number[] | null;
  you?: number;
  planner?: Entry[];
  /** The money that the viewer lacks to travel, pay for the task or leave jail now. */
  short?: number;
  trust?: Trust[];
  offers?: Offer[];
  reply?: Reply | null;
  talks_left?: number;
  notes?: DayNotes[];
  notes_left?: number;
  pages?: Page[];
  dialogue?: Dialogue | null;
  words?: LastWords;
}

export type Phase = 'turn' | 'evening' | 'over';

export type Step = 'move' | 'pay' | 'look' | 'leave' | 'journey' | 'work' | 'over';

export interface Place {
  name: string;
  eyes: number;
  cards: number;
  /** Seats, the lowest marker first. */
  pile: number[];
}

export interface Row {
  day: string;
  squares: Square[];
}

/** A square and its card. Without a card, only `lies` is set. */
export interface Square {
  square: number;
  lies: boolean;
  sideways?: boolean;
  /** The day on which it is turned up, counted from 1 to 18. */
  due?: number;
  looked?: number[];
  up?: boolean;
  card?: string | null;
}

export interface Deck {
  left: number;
  top: string | null;
}

export interface Discards {
  up: string[];
  down: Buried[];
}

/** A card whose row was full; the player who drew it knows which one it is. */
export interface Buried {
  day: string;
  by: number | null;
  card: string | null;
}

export interface Person {
  seat: number;
  place: string | null;
  /** Where the player was last after a move. */
  was: string | null;
  money: number;
  obstacle: Obstacle;
  opportunity: Opportunity;
  looked_at: Spot[];
  fined: boolean;
  jail: Jail | null;
  out: Out | null;
}

export interface Obstacle {
  circles: boolean[];
  /** Where the next part is done; null if there is none left. */
  place: string | null;
  /** The days on which the next part can be done; null means any day. */
  days: number[] | null;
  name: string;
  complete: boolean;
}

export interface Opportunity {
  circles: boolean[];
  /** Where the next part is done; null if there is none left. */
  place: string | null;
  /** The days on which the next part can be done; null means any day. */
  days: number[] | null;
  name: string;
  complete: number;
}

/** A square of the sheet. */
export interface Spot {
  day: string;
  square: number;
}

export interface Jail {
  fine: number;
  until: number;
}

export interface Out {
  day: number;
  cost: number;
}

/** The journey or work that is offered to the turn's player. */
export interface EveningOffer {
  kind: 'journey' | 'work';
  card: string;
  place: string;
  amount: number;
}

/** The events of the last evening. */
export interface Evening {
  day: number;
  date: string;
  cards: string[];
  squares: CardOnSquare[];
  raids: number;
  fine: number;
  raided: string[];
  until: number;
  cards_completed: string[];
  completed: number[];
  fined: number[];
  jailed: number[];
  spared: number[];
}

export interface CardOnSquare {
  square: number;
  card: string;
}

/** A question about a card. `noes` are the seats that refused. */
export interface Question {
  from: number;
  to: Partner;
  noes: number[];
  day: string;
  square: number;
  price: number;
  /** Who offers to answer. The asker chooses one of them and pays. */
  answers: number[];
}

/** Whom a player talks to: a seat or everybody. */
export type Partner = number | 'all';

/** A request for money. `noes` are the seats that refused. */
export interface Request {
  from: number;
  to: Partner;
  noes: number[];
  amount: number;
}

export type Ending = 'all' | 'days' | 'cards';

/** A future card, as the seat's planner has it. */
export interface Entry {
  day: string;
  square: number;
  due: number;
  /** The card, if the viewer has seen it. */
  card: string | null;
  /** What the viewer's planner says, true or not. It can be shown to others. */
  written: string | null;
  heard: Heard[];
  told: Told[];
}

export interface Heard {
  from: number;
  card: string;
}

export interface Told {
  to: number;
  card: string;
}

/** How many statements of this seat to the viewer have proved true, and how many false. */
export interface Trust {
  seat: number;
  true: number;
  false: number;
}

/** A statement that one seat offers another for a price. Only the seller sees the statement. */
export interface Offer {
  from: number;
  to: number;
  day: string;
  square: number;
  price: number;
  card?: string;
}

/** The answer that the viewer has offered to a question. */
export interface Reply {
  day: string;
  square: number;
  to: number;
  card: string;
}

/** Boxes and a note of one day in a planner. */
export interface DayNotes {
  day: number;
  date: string;
  boxes: string[];
  note: string | null;
}

/** A page of another planner that the viewer was shown, true or not. */
export interface Page {
  from: number;
  weeks: number[];
  days: DayNotes[];
}

export interface Dialogue {
  /** Null: the seat writes in its own planner. */
  to: number | 'all' | null;
  about: Spot | null;
  page: number | null;
  subject: string | null;
  statement: string | null;
  answering: boolean;
}

/** How many messages the viewer got, and the last one. */
export interface LastWords {
  count: number;
  last: Words | null;
}

export interface Words {
  what: Saying;
  from: number;
  week?: number;
  day?: string;
  square?: number;
  card?: string | null;
  price?: number;
}

export type Saying = 'told' | 'shown' | 'offered' | 'asked' | 'refused' | 'requested' | 'denied' | 'answering';
