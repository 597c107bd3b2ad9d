/** The view of `view.py`, as this page reads it. */
export type Step = 'move' | 'pay' | 'look' | 'leave' | 'journey' | 'work' | 'over';

export interface Spot {
  day: string;
  square: number;
}

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

export interface Row {
  day: string;
  squares: Square[];
}

export interface TaskState {
  name: string;
  complete: boolean | number;
  circles: boolean[];
  /** Where the next part is done; null once there is none. */
  place: string | null;
  /** On which days; null: on any. */
  days: number[] | null;
}

export interface Person {
  seat: number;
  place: string | null;
  was: string | null;
  money: number;
  obstacle: TaskState;
  opportunity: TaskState;
  looked_at: Spot[];
  fined: boolean;
  jail: { fine: number; until: number } | null;
  out: { day: number; cost: number } | null;
}

export interface PlaceState {
  name: string;
  eyes: number;
  cards: number;
  /** Seats, the lowest marker first. */
  pile: number[];
}

export interface EveningState {
  day: number;
  date: string;
  cards: string[];
  squares: { square: number; card: string }[];
  raids: number;
  fine: number;
  raided: string[];
  until: number;
  completed: number[];
  cards_completed: string[];
  fined: number[];
  jailed: number[];
  spared: number[];
}

export interface Entry extends Spot {
  due: number;
  /** What one has really seen. */
  card: string | null;
  /** What one's planner says, and others are shown: it need not be true. */
  written: string | null;
  heard: { from: number; card: string }[];
  told: { to: number; card: string }[];
}

export interface Offer extends Spot {
  from: number;
  to: number;
  price: number;
  card?: string;
}

export interface Question extends Spot {
  from: number;
  to: number | 'all';
  price: number;
  /** Who has said no. */
  noes: number[];
  /** Who offers to answer: the asker chooses one of them, pays and hears. */
  answers: number[];
}

/** Boxes and a note of one day in a planner. */
export interface DayNotes {
  day: number;
  date: string;
  boxes: string[];
  note: string | null;
}

/** Somebody asks for money. */
export interface Request {
  from: number;
  to: number | 'all';
  amount: number;
  noes: number[];
}

export interface Words extends Partial<Spot> {
  what: 'told' | 'shown' | 'offered' | 'asked' | 'refused' | 'requested' | 'denied' | 'answering';
  from: number;
  week?: number;
  card?: string | null;
  price?: number;
}

export interface View {
  you?: number;
  phase: 'turn' | 'evening' | 'over';
  step: Step;
  turn: number;
  /** Whom the one whose turn it is waits for, having asked everybody for money. */
  asked: number | null;
  day: number;
  last_day: number;
  date: string;
  starter: number;
  looks: number;
  ranked: boolean;
  places: PlaceState[];
  sheet: Row[];
  deck: { left: number; top: string | null };
  discards: { up: string[]; down: { day: string; by: number | null; card: string | null }[] };
  players: Person[];
  offer: { kind: 'journey' | 'work'; card: string; place: string; amount: number } | null;
  evening: EveningState | null;
  questions: Question[];
  requests: Request[];
  ending: 'all' | 'days' | 'cards' | null;
  result: number[] | null;
  planner?: Entry[];
  /** The money lacking for what one could do at once: travel, pay for the task, leave jail. */
  short?: number;
  trust?: { seat: number; true: number; false: number }[];
  offers?: Offer[];
  /** The answer one has offered to somebody's question. */
  reply?: (Spot & { to: number; card: string }) | null;
  talks_left?: number;
  notes?: DayNotes[];
  notes_left?: number;
  /** What one was shown of others' planners: their word, not a fact. */
  pages?: { from: number; weeks: number[]; days: DayNotes[] }[];
  dialogue?: {
    /** Null: one writes in one's planner. */
    to: number | 'all' | null;
    about: Spot | null;
    page: number | null;
    subject: string | null;
    statement: string | null;
    answering: boolean;
  } | null;
  words?: { count: number; last: Words | null };
}
