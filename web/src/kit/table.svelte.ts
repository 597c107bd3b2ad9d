import { tick } from 'svelte';
import { announcer } from './announcer.svelte';
import { dated } from './away';
import { Line, type LineState } from './line';
import type { FromServer, GameEvent, Hint, Move, Now, Refusal, Table, TableEvent } from './protocol';
import { seats } from './stored';

export interface LogLine {
  n: number;
  kind: TableEvent['kind'];
  seat: number | null;
  text: string;
}

/** A board's own way of showing what happened before the new position is drawn. */
export type Animate = (event: GameEvent) => Promise<void>;

/** Behind by more than this many messages, we catch up instead of showing each one. */
const FAR_BEHIND = 12;

const sentences = (text: string | string[] | undefined): string[] =>
  (text === undefined ? [] : Array.isArray(text) ? text : [text]).filter(Boolean);

/** One table as this browser knows it. Events are shown one after another; `now` follows when they have been. */
export class TableStore {
  table = $state.raw<Table | null>(null);
  seat = $state<number | null>(null);
  now = $state.raw<Now | null>(null);
  log = $state.raw<LogLine[]>([]);
  line = $state<LineState>('connecting');
  refused = $state.raw<Refusal | null>(null);
  /** Why nobody can play just now. */
  notice = $state<string | null>(null);
  seal = $state<string | null>(null);
  secret = $state<string | null>(null);
  /** A request of ours is on its way. */
  busy = $state(false);
  hint = $state.raw<Hint | null>(null);
  /** The hard bot thinks about our move. */
  pondering = $state(false);
  /** Chat lines that came while nobody looked at the log. */
  unread = $state(0);

  animate: Animate | null = null;

  #line: Line;
  #queue: FromServer[] = [];
  #draining = false;
  #presses = new Set<string>();
  /** Events up to here happened before we came: they are told in the log, not shown or spoken. */
  #before = 0;
  /** What we may do, and the event since which: hints from before it are worth nothing. */
  #choices = '';
  #changed = 0;

  constructor(readonly id: string) {
    this.#line = new Line(id, seats.of(id)?.secret ?? null, {
      hear: (message) => {
        this.#queue.push(message);
        void this.#drain();
      },
      changed: (state, refusal) => {
        this.line = state;
        this.refused = refusal;
      },
    });
  }

  get names(): string[] {
    return this.table?.seats.map((seat) => seat.name) ?? [];
  }

  /** The host made the table, or stands in for one who is away. */
  get hosting(): boolean {
    const host = this.table?.host ?? this.table?.seats.find((seat) => seat.kind === 'person')?.seat;
    return this.seat !== null && host === this.seat;
  }

  open(): void {
    this.#line.open();
  }

  close(): void {
    this.#line.close();
  }

  /** Plays a move. The same press again, while the first is on its way, is no second move. */
  act = async (move: Move): Promise<Refusal | null> => {
    const at = this.now?.n ?? 0;
    const press = JSON.stringify([at, move]);
    if (this.#presses.has(press)) return null;
    this.#presses.add(press);
    try {
      return await this.#ask({ type: 'move', at, move });
    } finally {
      this.#presses.delete(press);
    }
  };
  undo = (): Promise<Refusal | null> => this.#ask({ type: 'undo', at: this.now?.n ?? 0 });
  start = (): Promise<Refusal | null> => this.#ask({ type: 'start' });
  say = (text: string): Promise<Refusal | null> => this.#line.ask({ type: 'say', text });
  /** Asks for a hint, which comes as `hint`; one that the game has left behind is no matter. */
  askHint = async (): Promise<Refusal | null> => {
    if (this.pondering) return null;
    this.pondering = true;
    try {
      const refusal = await this.#line.ask({ type: 'hint' });
      return refusal?.code === 'stale' ? null : refusal;
    } finally {
      this.pondering = false;
    }
  };
  free = (seat: number): Promise<Refusal | null> => this.#ask({ type: 'free', seat });
  letBotPlay = (seat: number, bot: string | null): Promise<Refusal | null> => this.#ask({ type: 'bot', seat, bot });

  async #ask(asking: Parameters<Line['ask']>[0]): Promise<Refusal | null> {
    this.busy = true;
    try {
      return await this.#line.ask(asking);
    } finally {
      this.busy = false;
    }
  }

  async #drain(): Promise<void> {
    if (this.#draining) return;
    this.#draining = true;
    try {
      for (let message = this.#queue.shift(); message; message = this.#queue.shift()) await this.#take(message);
    } finally {
      this.#draining = false;
    }
  }

  async #take(message: FromServer): Promise<void> {
    switch (message.type) {
      case 'welcome':
        this.notice = null;
        this.#welcome(message);
        return;
      case 'table':
        this.table = dated(message.table);
        return;
      case 'notice':
        this.notice = message.reason;
        return;
      case 'now': {
        const { type: _, ...now } = message;
        this.#newNow(now);
        return;
      }
      case 'hint':
        if (message.n < this.#changed) return;
        this.hint = message;
        announcer.say(`Hint: ${message.moves[0]?.text ?? 'none'}`);
        return;
      case 'event':
        await this.#event(message);
    }
  }

  #welcome(message: Extract<FromServer, { type: 'welcome' }>): void {
    this.table = dated(message.table);
    this.seat = message.seat;
    this.seal = message.table.seal ?? this.seal;
    this.#before = message.last;
  }

  #newNow(now: Now): void {
    const mine = (at: Now | null) => this.seat !== null && (at?.waiting.includes(this.seat) ?? false);
    const asked = now.prompt?.text ?? '';
    if (mine(now) && asked && asked !== this.now?.prompt?.text) announcer.say(asked);
    const choices = JSON.stringify(now.legal);
    if (choices !== this.#choices) this.#outdate(now.n);
    this.#choices = choices;
    this.now = now;
  }

  #outdate(n: number): void {
    this.#changed = n;
    this.hint = null;
  }

  async #event(message: TableEvent): Promise<void> {
    const lines = sentences(message.text);
    const { n, kind } = message;
    const seat = message.seat ?? null;
    if (seat === this.seat && (kind === 'move' || kind === 'undo')) this.#outdate(n);
    if (message.seal) this.seal = message.seal;
    if (message.secret) this.secret = message.secret;
    if (n > this.#before) {
      for (const text of lines)
        announcer.say(kind === 'say' ? `${this.names[seat ?? -1] ?? 'Someone'} says: ${text}` : text);
      if (kind === 'say' && seat !== this.seat) this.unread++;
      await this.#show(message);
    }
    // The log tells what has been shown: it is not ahead of the board.
    this.log = [...this.log, ...lines.map((text) => ({ n, kind, seat, text }))];
  }

  async #show(message: TableEvent): Promise<void> {
    if (!this.animate || document.hidden || this.#queue.length > FAR_BEHIND) return;
    if (this.now && message.events?.length) {
      // While it is being shown the old choices are gone and the new ones not known yet: nothing is offered.
      this.now = { ...this.now, legal: [], undo: false };
      // The board takes notice of this first, and shows what happened after that.
      await tick();
    }
    try {
      for (const event of message.events ?? []) await this.animate(event);
    } catch (error) {
      // A picture that fails must not hold up the game: the position that follows says it all.
      console.error(error);
    }
  }
}
