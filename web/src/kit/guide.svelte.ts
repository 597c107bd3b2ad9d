import { api } from './api';
import type { LegalMove, Move, Note } from './protocol';
import { recall, remember, seats } from './stored';

const matches = (part: Record<string, unknown>, move: Move): boolean =>
  Object.keys(part).every((key) => JSON.stringify(part[key]) === JSON.stringify(move[key]));

/** The move that a note is for: it is shown while such a move is legal. */
const moment = (note: Note): Record<string, unknown> | null => note.when ?? note.until ?? null;

/**
 * How far the player is in the notes of a guided game. The next note is shown when its moment has come and its piece is on
 * the page, which may still be showing something else. When the moment of a later one comes first, those before it are
 * skipped, so that the guide never waits for a note whose moment has passed.
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
      if (index < this.#next) return false;
      const part = moment(note);
      return part ? legal.some((one) => matches(part, one.move)) : index === this.#next && onPage(note.at);
    });
    return found >= 0 && onPage(this.notes[found]!.at) ? found : null;
  }

  /** The player made a move, with this note on the page or just before. It may also be what the next note would ask for. */
  played(move: Move, shown: number | null): void {
    const done = [shown ?? -1, this.#next].find((index) => {
      const until = this.notes[index]?.until;
      return index >= this.#next && until && matches(until, move);
    });
    if (done !== undefined) this.read(done);
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
