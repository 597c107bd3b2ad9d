import { patched } from './changes';
import type { Asking, Change, FromServer, Heard, LegalMove, Refusal } from './protocol';
import { recall } from './stored';

export type LineState = 'connecting' | 'open' | 'lost' | 'refused';

export interface Listener {
  /** Every message except responses to our requests and pongs. A change arrives as the full position after it. */
  hear(message: Heard): void;
  /** The line opened, was lost, or was refused for good (with the reason). */
  changed(state: LineState, refusal: Refusal | null): void;
}

interface Waiting {
  text: string;
  done: (refusal: Refusal | null) => void;
}

const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 10_000;
const PING_EVERY = 25_000;
const SILENCE_TIMEOUT = 60_000;

/** A random id. `crypto.randomUUID` is not used, because it is missing on plain http beyond localhost. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * One table's socket. It says hello with the last event it has, reconnects automatically after a
 * break, and sends requests that were not answered again under the same id, so that each is
 * carried out once.
 */
export class Line {
  /** The last numbered event heard: what the next hello asks to continue from. */
  last = 0;
  /** The event of the last request of ours that was carried out. */
  acknowledged = 0;

  #socket: WebSocket | null = null;
  #waiting = new Map<string, Waiting>();
  #welcome = false;
  #pause = FIRST_PAUSE;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #pulse: ReturnType<typeof setInterval> | undefined;
  #heardAt = 0;
  #closed = false;
  /** The position as the server knows that we have it: what the next change is a change of. */
  #position: Extract<FromServer, { type: 'now' }> | null = null;
  /** The last list of moves that was not empty. */
  #known: LegalMove[] = [];

  constructor(
    private readonly table: string,
    private readonly secret: string | null,
    private readonly passport: string | null,
    private readonly listener: Listener,
  ) {}

  open(): void {
    addEventListener('online', this.#hurry);
    document.addEventListener('visibilitychange', this.#hurry);
    document.addEventListener('visibilitychange', this.#tellVisible);
    this.#connect();
  }

  close(): void {
    this.#closed = true;
    removeEventListener('online', this.#hurry);
    document.removeEventListener('visibilitychange', this.#hurry);
    document.removeEventListener('visibilitychange', this.#tellVisible);
    clearTimeout(this.#retry);
    clearInterval(this.#pulse);
    this.#socket?.close();
    for (const { done } of this.#waiting.values())
      done({ code: 'closed', rule: null, reason: 'You have left this table.' });
    this.#waiting.clear();
  }

  /** Resolves with null once the server has stored it or, for a hint, answered it, or with the refusal. A lost connection only delays it. */
  ask(asking: Asking): Promise<Refusal | null> {
    const id = newId();
    const text = JSON.stringify({ ...asking, id });
    return new Promise((done) => {
      this.#waiting.set(id, { text, done });
      if (this.#welcome) this.#socket?.send(text);
    });
  }

  /** Sends a message without a response; it is lost if the connection is. */
  tell(message: object): void {
    if (this.#welcome) this.#socket?.send(JSON.stringify(message));
  }

  #connect(): void {
    if (this.#closed) return;
    this.#welcome = false;
    this.#position = null;
    const address = new URL(`/api/tables/${encodeURIComponent(this.table)}/socket`, location.href);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => socket.send(JSON.stringify(this.#hello()));
    socket.onmessage = (message) => this.#hear(JSON.parse(String(message.data)) as FromServer);
    socket.onclose = () => {
      if (this.#socket === socket) this.#lost();
    };
    clearInterval(this.#pulse);
    this.#heardAt = Date.now();
    this.#pulse = setInterval(() => {
      if (Date.now() - this.#heardAt > SILENCE_TIMEOUT) socket.close();
      else if (this.#welcome) socket.send(JSON.stringify({ type: 'ping' }));
    }, PING_EVERY);
  }

  #hello(): object {
    const hello = { type: 'hello', secret: this.secret, last: this.last };
    if (this.passport !== null) return { ...hello, passport: this.passport };
    return this.secret === null ? { ...hello, name: recall('name', '') } : hello;
  }

  #lost(): void {
    clearInterval(this.#pulse);
    this.#welcome = false;
    if (this.#closed) return;
    this.listener.changed('lost', null);
    this.#retry = setTimeout(() => this.#connect(), this.#pause * (0.7 + Math.random() * 0.6));
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
  }

  #hurry = (): void => {
    if (this.#closed || document.hidden || this.#socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.#retry);
    this.#connect();
  };

  /** Somebody who is not looking at the table may want a notice. */
  #tellVisible = (): void => {
    this.tell({ type: 'visible', on: !document.hidden });
  };

  #hear(message: FromServer): void {
    this.#heardAt = Date.now();
    switch (message.type) {
      case 'pong':
        return;
      case 'ack':
        this.acknowledged = message.n;
        this.#answer(message.id, null);
        return;
      case 'hint':
        this.#answer(message.id, null);
        this.listener.hear(message);
        return;
      case 'refused':
        if (message.id && this.#waiting.has(message.id)) this.#answer(message.id, message);
        else if (!this.#welcome) {
          this.close();
          this.listener.changed('refused', message);
        }
        return;
      case 'welcome':
        this.#welcome = true;
        this.#pause = FIRST_PAUSE;
        this.listener.hear(message);
        this.listener.changed('open', null);
        if (document.hidden) this.#tellVisible();
        for (const { text } of this.#waiting.values()) this.#socket?.send(text);
        return;
      case 'event':
        if (message.n <= this.last) return;
        this.last = message.n;
        this.listener.hear(message);
        return;
      case 'now':
        this.#position = message;
        this.#known = message.legal;
        this.listener.hear(message);
        return;
      case 'change':
        this.#change(message);
        return;
      default:
        this.listener.hear(message);
    }
  }

  /** Applies a change to the known position. If it belongs to another position, the full one is requested. */
  #change({ type: _, base, view, legal, ...rest }: Change): void {
    const before = this.#position;
    if (!before) return;
    if (before.n !== base) {
      this.#position = null;
      this.#socket?.send(JSON.stringify({ type: 'look' }));
      return;
    }
    const after = { ...before, ...rest };
    if (view) after.view = patched(before.view, view) as typeof before.view;
    if (legal) {
      after.legal = legal.map((one) => (typeof one === 'number' ? this.#known[one]! : one));
      if (after.legal.length) this.#known = after.legal;
    }
    this.#position = after;
    this.listener.hear(after);
  }

  #answer(id: string, refusal: Refusal | null): void {
    this.#waiting.get(id)?.done(refusal);
    this.#waiting.delete(id);
  }
}
