import type { Refusal } from './protocol';

export interface Shown {
  id: number;
  at: Element;
  refusal: Refusal;
}

let shown = $state.raw<Shown | null>(null);
let next = 0;

/** The one refusal on show, at the piece it is about. */
export const refusals = {
  get shown() {
    return shown;
  },
  show(at: Element, refusal: Refusal) {
    shown = { id: next++, at, refusal };
  },
  clear() {
    shown = null;
  },
};
