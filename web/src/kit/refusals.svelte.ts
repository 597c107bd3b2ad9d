import type { Refusal } from './protocol';

interface Shown {
  id: number;
  at: Element;
  refusal: Refusal;
}

const STALE_DURATION = 4000;

let shown = $state.raw<Shown | null>(null);
let next = 0;

/** The one refusal on show, at the piece it is about. */
export const refusals = {
  get shown() {
    return shown;
  },
  show(at: Element, refusal: Refusal) {
    const id = next++;
    shown = { id, at, refusal };
    // A timeout is not the player's mistake, and must not block the next try.
    if (refusal.code === 'stale') setTimeout(() => shown?.id === id && refusals.clear(), STALE_DURATION);
  },
  clear() {
    shown = null;
  },
};
