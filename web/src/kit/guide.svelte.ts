import { api } from './api';
import type { LegalMove, Move, Note } from './protocol';
import { recall, remember, seats } from './stored';

const matches = (part: Record<string, unknown>, move: Move): boolean =>
  Object.keys(part).every((key) => JSON.stringify(part[key]) === JSON.stringify(move[key]));

/** The move that a note is for: it is shown while such a move is legal. */
const moment = (note: Note): Record<string, unknown> | null => note.when ?? note.until ?? null;

/**
 * How far the player is in the notes of a guided game. The next note is shown when its moment has come. When the moment
 * of a later one comes first, those before it are skipped, so that no note is ever waited for in vain.
 */
export class GuideProgress {
  notes = $state.raw<Note[]>([]);
  #next = $state(0);
  #key: string;

  constructor(table: string, game: string) {
    this.#key = `guide.${table}`;
    this.#next = recall(this.#key, 0);
    void api.guide(game).then(
      (guide) => (this.notes = guide.notes),
      () => undefined,
    );
  }

  /** The number of the note for this moment, whose piece is on the page; null when there is none. */
  at(legal: LegalMove[], onPage: (names: string[]) => boolean): number | null {
    const found = this.notes.findIndex((note, index) => {
      const part = moment(note);
      if (index < this.#next || !onPage(note.at)) return false;
      return part ? legal.some((one) => matches(part, one.move)) : index === this.#next;
    });
    return found < 0 ? null : found;
  }

  /** The player made a move, with this note on the page or just before. */
  played(move: Move, shown: number): void {
    const until = this.notes[shown]?.until;
    if (shown >= this.#next && until && matches(until, move)) this.read(shown);
  }

  /** The player has read this note, or skips it. */
  read(shown: number): void {
    this.#next = shown + 1;
    remember(this.#key, this.#next);
  }

  leave(): void {
    this.read(this.notes.length - 1);
  }

  get over(): boolean {
    return this.notes.length > 0 && this.#next >= this.notes.length;
  }
}

/** Opens a guided game; the address of its table. */
export async function openGuided(game: string, title: string): Promise<string> {
  const made = await api.open({ game, seats: [{ kind: 'me', name: recall('name', 'Traveller') }], guided: true });
  if (made.secret !== null && made.seat !== null)
    seats.took({ table: made.table, seat: made.seat, secret: made.secret, title, since: Date.now() });
  return `/table/${made.table}`;
}
