import type { Move, Now, Refusal } from '../../kit/protocol';

/**
 * Several moves that belong together, sent one after another: each waits until the position after the one before it
 * is on the page. A refusal ends the rest.
 */
export class Plan {
  left = $state.raw<Move[]>([]);
  sending = $state(false);

  #at = -1;
  #refused: (refusal: Refusal) => void = () => undefined;
  #done: () => void = () => undefined;

  constructor(
    readonly seat: () => number | null,
    readonly now: () => Now,
    readonly act: (move: Move) => Promise<Refusal | null>,
  ) {}

  get running(): boolean {
    return this.sending || this.left.length > 0;
  }

  start(moves: Move[], refused: (refusal: Refusal) => void, done: () => void = () => undefined): void {
    this.left = moves;
    this.#at = -1;
    this.#refused = refused;
    this.#done = done;
    void this.go();
  }

  /** Called whenever there is a new position. */
  async go(): Promise<void> {
    const [next, ...rest] = this.left;
    const now = this.now();
    if (!next || this.sending || now.n === this.#at) return;
    if (!now.waiting.includes(this.seat() ?? -1)) {
      this.left = [];
      return;
    }
    // While a move is being shown nothing is legal: the position after it comes soon.
    if (!now.legal.length) return;
    this.#at = now.n;
    this.left = rest;
    this.sending = true;
    const refusal = await this.act(next);
    this.sending = false;
    if (refusal) {
      this.left = [];
      this.#refused(refusal);
    } else if (rest.length) void this.go();
    else this.#done();
  }
}
