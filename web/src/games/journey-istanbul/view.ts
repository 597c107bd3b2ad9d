/** A position of The Journey: Istanbul as the server shows it to one seat. */
import type { Obstacle, Opportunity, View } from '../../generated/journey-istanbul';

export type * from '../../generated/journey-istanbul';

export type Task = Obstacle | Opportunity;

/** What there is to decide, by name: another one as soon as it is decided. What others say meanwhile changes nothing. */
export const decisionOf = (view: View) =>
  [view.day, view.turn, view.step, view.looks, view.offer?.card, view.asked].join(' ');
