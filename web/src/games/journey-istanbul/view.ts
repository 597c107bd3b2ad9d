/** A position of The Journey: Istanbul as the server shows it to one seat. */
import type { Obstacle, Opportunity, View } from '../../generated/journey-istanbul';

export type * from '../../generated/journey-istanbul';

export type Task = Obstacle | Opportunity;

/** The name of the current decision. It changes once the decision is made, and not when others say something. */
export const decisionOf = (view: View) =>
  [view.day, view.turn, view.step, view.looks, view.offer?.card, view.asked].join(' ');
