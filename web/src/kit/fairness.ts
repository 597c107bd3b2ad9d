import type { DrawnDice } from './protocol';
import { SealedDice, sealOf } from './sealedDice';

/** One step of a match whose dice were drawn again here. */
export interface CheckedStep {
  n: number;
  shuffles: number;
  cards: number;
  numbers: number;
  /** Whether everything came out as in the match. */
  same: boolean;
}

export interface Checked {
  /** The SHA-256 of the secret, worked out here. */
  seal: string;
  steps: CheckedStep[];
  /** How many numbers were taken from the secret. */
  drawn: number;
}

/** Draws a match's dice again from its secret. Steps after the first difference mean nothing and are left out. */
export function drawAgain(told: DrawnDice): Checked {
  const dice = new SealedDice(told.secret);
  const steps: CheckedStep[] = [];
  for (const { n, draws } of told.steps) {
    const step: CheckedStep = { n, shuffles: 0, cards: 0, numbers: 0, same: true };
    for (const draw of draws) {
      if (draw.kind === 'number') {
        step.numbers++;
        step.same &&= dice.below(draw.below) === draw.value;
      } else {
        step.shuffles++;
        step.cards += draw.before.length;
        const order = dice.shuffled(draw.before);
        step.same &&= order.length === draw.after.length && order.every((card, i) => card === draw.after[i]);
      }
    }
    steps.push(step);
    if (!step.same) break;
  }
  return { seal: sealOf(told.secret), steps, drawn: dice.drawn };
}
