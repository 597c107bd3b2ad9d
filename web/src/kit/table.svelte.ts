import { tick } from 'svelte';
import { announcer } from './announcer.svelte';
import { dated } from './away';
import { Line, type LineState } from './line';
import { passport } from './passport.svelte';
import { muted } from './muted.svelte';
import type { Asker, GalleryLine, GameEvent, Heard, Hint, Move, Now, Refusal, Table, TableEvent } from './protocol';
import { settings } from './settings.svelte';
import { play } from './sounds';
import { seals, seats } from './stored';
import { timed, type RunningTimes } from './times';
import { Waiting } from './waiting.svelte';

export interface LogLine {
  n: number;
  kind: TableEvent['kind'];
  seat: number | null;
  text: string;
}

/** The rematch: its table, its game, and who asked for it. */
export interface Rematch {
  table: string;
  game: string;
  seat: number;
}

/** A board's own way of showing what happened before the new position is drawn. */
export type Animate = (event: GameEvent) => Promise<void>;

/** Sentences about what others did that are kept until our next move. */
const MAX_SINCE = 40;

/**
 * Plays moves that belong together, each once the position after the one before it is on the page. A move that comes
 * too late, because another player moved at the same moment, is sent again while the game offers it. Resolves when the
 * position after the last is on the page: with null, with the refusal that ended it, or with 'passed' when `stands`,
 * asked before each move, says that its moment has passed.
 */
export type ActAll = (moves: Move[], stands?: () => boolean) => Promise<Refusal | 'passed' | null>;

const TRIES = 5;

/** If more messages than this are waiting, the page catches up instead of showing each one. */
const FAR_BEHIND = 12;

const pauseFor = (milliseconds: number): Promise<void> =>
  milliseconds && !document.hidden ? new Promise((resolve) => setTimeout(resolve, milliseconds)) : Promise.resolve();

const same = (a: Move, b: Move): boolean =>
  Object.keys(a).every((key) => JSON.stringify(a[key]) === JSON.stringify(b[key]));

const sentences = (text: string | string[]): string[] => (Array.isArray(text) ? text : [text]).filter(Boolean);

/** One table as this browser knows it. Events are shown one after another; `now` follows when they have been. */
export class TableStore {
  table = $state.raw<Table | null>(null);
  seat = $state<number | null>(null);
  now = $state.raw<Now | null>(null);
  log = $state.raw<LogLine[]>([]);
  line = $state<LineState>('connecting');
  refused = $state.raw<Refusal | null>(null);
  /** The reason why nobody can play at the moment. */
  notice = $state<string | null>(null);
  /** The players' clocks; null if there are none. They do not wait for what is still being shown. */
  times = $state.raw<RunningTimes | null>(null);
  seal = $state<string | null>(null);
  /** The table of the rematch, once someone has asked for one. */
  rematch = $state.raw<Rematch | null>(null);
  #waiting = new Waiting();
  hint = $state.raw<Hint | null>(null);
  /** The hard bot thinks about our move. */
  pondering = $state(false);
  /** What others have done since our own last move, in sentences. */
  since = $state.raw<string[]>([]);
  /** The number of our own last move; null before the first. */
  lastOwn = $state<number | null>(null);
  /** Our own last move, once it has been shown; null before the first of this visit. */
  played = $state.raw<Move | null>(null);
  /** Chat lines that came while nobody looked at the log. */
  unread = $state(0);
  /** Spectators who would like a seat, if we are the host. */
  askers = $state.raw<Asker[]>([]);
  /** The number of spectators, and their names. */
  watching = $state.raw<{ count: number; names: string[] }>({ count: 0, names: [] });
  /** The spectators' chat; only spectators get it before the match is over. */
  gallery = $state.raw<GalleryLine[]>([]);
  /** The host's answer: our new seat, or the reason why there is none. */
  admitted = $state.raw<{ seat: number | null; secret: string | null; text: string } | null>(null);

  animate: Animate | null = null;

  #line: Line;
  #queue: Heard[] = [];
  #draining = false;
  #waiters: (() => void)[] = [];
  #presses = new Set<string>();
  /** Events up to here happened before we came: they are in the log, but not shown or spoken. */
  #before = 0;
  /** The legal moves, and the event since which they apply: older hints are ignored. */
  #choices = '';
  #changed = 0;

  /** A request of ours is on its way. */
  get busy() {
    return this.#waiting.busy;
  }
  /** Whether it has taken long enough to be shown as pending, or as late. */
  get delay() {
    return this.#waiting.delay;
  }

  constructor(readonly id: string) {
    this.#line = new Line(id, seats.secretAt(id), passport.held?.secret ?? null, {
      hear: (message) => {
        if (message.type === 'now') this.times = message.times && timed(message.times);
        this.#queue.push(message);
        void this.#drain();
      },
      changed: (state, refusal) => {
        this.line = state;
        this.refused = refusal;
        if (refusal?.code === 'wrong-passport') passport.drop();
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
  actAll: ActAll = async (moves, stands = () => true) => {
    await this.#shown(0);
    for (const move of moves) {
      let refusal: Refusal | null = null;
      for (let tries = 0; tries < TRIES; tries++) {
        if (!stands()) return 'passed';
        if (refusal && !this.#offers(move)) return refusal;
        const at = this.now?.n ?? 0;
        refusal = await this.act(move);
        if (refusal?.code !== 'stale') break;
        await this.#shown(at + 1);
      }
      if (refusal) return refusal;
      await this.#shown(this.#line.acknowledged);
    }
    return null;
  };
  undo = (): Promise<Refusal | null> => this.#ask({ type: 'undo', at: this.now?.n ?? 0 });
  start = (): Promise<Refusal | null> => this.#ask({ type: 'start' });
  /** Opens a table for the same people, who are asked to come; `rematch` says where. */
  askRematch = async (game: string | null): Promise<Refusal | null> => {
    const refusal = await this.#ask({ type: 'rematch', game });
    if (!refusal) await this.#shown(this.#line.acknowledged);
    return refusal;
  };
  /** Whether bots pause before each move, as far as this browser is concerned. */
  pauseBots = (on: boolean): void => this.#line.tell({ type: 'bot-pause', on });
  /** Asks the bots that let people go first to move. */
  consult = (): Promise<Refusal | null> => this.#ask({ type: 'consult' });
  /** Asks everyone for a pause of the clocks, or agrees to one; or goes on. */
  pause = (on: boolean): Promise<Refusal | null> => this.#ask({ type: 'pause', on });
  say = (text: string): Promise<Refusal | null> => this.#line.ask({ type: 'say', text });
  /** Asks for a hint, which comes as `hint`; a hint for an older position is ignored. */
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
  /** Asks the host for a seat that a bot plays. */
  askSeat = (name: string): Promise<Refusal | null> => this.#line.ask({ type: 'ask-seat', name });
  /** As the host: gives a spectator a bot's seat, or none. */
  admit = (ask: number, seat: number | null): Promise<Refusal | null> => this.#line.ask({ type: 'admit', ask, seat });
  concede = (): Promise<Refusal | null> => this.#ask({ type: 'concede' });
  free = (seat: number): Promise<Refusal | null> => this.#ask({ type: 'free', seat });
  letBotPlay = (seat: number, bot: string | null): Promise<Refusal | null> => this.#ask({ type: 'bot', seat, bot });

  #ask(asking: Parameters<Line['ask']>[0]): Promise<Refusal | null> {
    return this.#waiting.for(this.#line.ask(asking));
  }

  async #drain(): Promise<void> {
    if (this.#draining) return;
    this.#draining = true;
    try {
      for (let message = this.#queue.shift(); message; message = this.#queue.shift()) await this.#take(message);
    } finally {
      this.#draining = false;
      for (const wake of this.#waiters.splice(0)) wake();
    }
  }

  /** Resolves once everything that was heard is on the page, event `n` included. */
  async #shown(n: number): Promise<void> {
    while (this.#draining || (this.now?.n ?? 0) < n) await new Promise<void>((wake) => this.#waiters.push(wake));
  }

  #offers(move: Move): boolean {
    return this.now?.legal.some((one) => same(move, one.move)) ?? false;
  }

  async #take(message: Heard): Promise<void> {
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
      case 'asking':
        for (const one of message.people)
          if (!this.askers.some((known) => known.ask === one.ask)) announcer.say(`${one.name} asks to sit down.`);
        this.askers = message.people;
        return;
      case 'spectators':
        this.watching = message;
        return;
      case 'gallery':
        this.#hearGallery(message.lines);
        return;
      case 'admitted':
        announcer.say(message.text);
        this.admitted = message;
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

  #welcome(message: Extract<Heard, { type: 'welcome' }>): void {
    this.table = dated(message.table);
    this.seat = message.seat;
    this.seal = message.table.seal ?? this.seal;
    if (message.table.state === 'playing' && message.table.seal) seals.note(this.id, message.table.seal);
    this.#before = message.last;
  }

  #hearGallery(lines: GalleryLine[]): void {
    const known = this.gallery.at(-1)?.n ?? 0;
    const fresh = lines.filter((line) => line.n > known);
    const others = fresh.filter((line) => !muted.has(line.name));
    // If several arrive at once, they are older lines.
    if (others.length === 1 && this.now) announcer.say(`${others[0]!.name} says: ${others[0]!.text}`);
    if (this.seat === null && this.now) this.unread += others.length;
    this.gallery = [...this.gallery, ...fresh];
  }

  #newNow(now: Now): void {
    const mine = (at: Now | null) => this.seat !== null && (at?.waiting.includes(this.seat) ?? false);
    const asked = now.prompt.text;
    if (mine(now) && asked && asked !== this.now?.prompt.text) announcer.say(asked);
    if (mine(now) && !mine(this.now) && this.now) play('turn');
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
    const seat = 'seat' in message ? message.seat : null;
    if (seat === this.seat && (kind === 'move' || kind === 'undo')) this.#outdate(n);
    if (kind === 'start') {
      this.seal = message.seal;
      if (n > this.#before) seals.note(this.id, message.seal);
    }
    if (kind === 'rematch') this.rematch = { table: message.table, game: message.game, seat: message.seat };
    if (n > this.#before) {
      const unheard = kind === 'say' && muted.has(this.names[seat ?? -1] ?? '');
      for (const text of unheard ? [] : lines)
        announcer.say(kind === 'say' ? `${this.names[seat ?? -1] ?? 'Someone'} says: ${text}` : text);
      if (kind === 'say' && seat !== this.seat && !unheard) this.unread++;
      if (kind === 'over') play('end');
      else if (kind === 'rematch') play('turn');
      else if (kind === 'move') play(message.events.some((one) => one.event === 'claimed') ? 'train' : 'card');
      const byBot = kind === 'move' && (message.by === 'bot' || message.by === 'stand-in');
      const events = 'events' in message ? message.events : [];
      if (!(byBot && settings.bots === 'instant')) await this.#show(events);
      if (byBot && this.#queue.length <= FAR_BEHIND) await pauseFor(settings.botPause);
    }
    if (kind === 'move' && n > this.#before && message.move) this.played = message.move;
    if (kind === 'move' && seat === this.seat && message.by !== 'bot') [this.since, this.lastOwn] = [[], n];
    else if (kind === 'move' && this.seat !== null) this.since = [...this.since, ...lines.filter((line) => !/^You\b/.test(line))].slice(-MAX_SINCE);
    // The log tells what has been shown: it is not ahead of the board.
    this.log = [...this.log, ...lines.map((text) => ({ n, kind, seat, text }))];
  }

  async #show(events: GameEvent[]): Promise<void> {
    if (!this.animate || document.hidden || this.#queue.length > FAR_BEHIND) return;
    if (this.now && events.length) {
      // While an event is shown, the old choices are invalid and the new ones are not known yet, so none are offered.
      this.now = { ...this.now, legal: [], undo: false };
      // The board has to be told first; then it shows what happened.
      await tick();
    }
    try {
      for (const event of events) await this.animate(event);
    } catch (error) {
      // A failed animation must not hold up the game: the next position is complete without it.
      console.error(error);
    }
  }
}
