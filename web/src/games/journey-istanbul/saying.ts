import type { Move, Now, Refusal } from '../../kit/protocol';
import type { View } from './view';

const same = (a: Move, b: Move) => Object.keys(a).every((key) => a[key] === b[key]);

/** What there is to decide, by name: another one as soon as it is decided. What others say meanwhile changes nothing. */
export const decisionOf = (view: View) =>
  [view.day, view.turn, view.step, view.looks, view.offer?.card, view.asked].join(' ');

/** Says things in steps: each is sent when the game is ready for it. */
export class Saying {
  #waiters: (() => void)[] = [];

  constructor(
    private now: () => Now<View>,
    private act: (move: Move) => Promise<Refusal | null>,
  ) {}

  /** The position is another one. */
  wake(): void {
    const all = this.#waiters;
    this.#waiters = [];
    for (const wake of all) wake();
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
      setTimeout(resolve, 1500);
    });
  }

  #open(move: Move): boolean {
    return this.now().legal.some((one) => same(move, one.move));
  }

  /** Makes a move; when somebody spoke in the same moment, it is made again as long as there is the same to decide. */
  async decide(move: Move): Promise<Refusal | null> {
    const decision = decisionOf(this.now().view!);
    const possible = this.#open(move);
    const stands = () => possible && decisionOf(this.now().view!) === decision;
    let refusal = await this.act(move);
    for (let tries = 0; tries < 4 && refusal?.code === 'stale' && stands(); tries++) {
      await this.#changed();
      for (let turns = 0; turns < 8 && stands() && !this.#open(move); turns++) await this.#changed();
      if (stands()) refusal = await this.act(move);
    }
    return refusal;
  }

  /** True when all was said, false when there was nothing to say any more, or why not. */
  async say(...moves: Move[]): Promise<boolean | Refusal> {
    for (const move of moves) {
      let refusal: Refusal | null = null;
      for (let tries = 0; tries < 4; tries++) {
        // While something is being shown nothing is offered: the words wait for it.
        for (let turns = 0; turns < 8 && !this.#open(move); turns++) await this.#changed();
        // What was never open has nothing to be closed.
        if (move.do === 'hush' && !this.#open(move)) return false;
        refusal = await this.act(move);
        if (refusal?.code === 'stale') {
          await this.#changed();
          continue;
        }
        // It has been said once it cannot be said again.
        const still = () => !this.now().legal.length || this.#open(move);
        if (!refusal) for (let turns = 0; turns < 8 && still(); turns++) await this.#changed();
        break;
      }
      if (refusal) return refusal;
    }
    return true;
  }
}
