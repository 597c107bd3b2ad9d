import type { Shortcut } from '../../kit/boards';

export const shortcuts: Shortcut[] = [
  { keys: '1 … 9', does: 'choose a card from your backpack' },
  { keys: 'D', does: 'draw' },
  { keys: 'Y', does: 'recycle' },
  { keys: 'T', does: 'trade' },
  { keys: 'S', does: 'steal' },
  { keys: 'G', does: 'go: travel' },
  { keys: 'B', does: 'browse the discard pile' },
  { keys: 'P', does: 'propose, play, discard: the red button' },
  { keys: 'X', does: 'decline, or cancel the trade' },
  { keys: 'K', does: 'make a counter-offer' },
];

const PRESSES: Record<string, string[]> = {
  d: ['draw'],
  y: ['recycle'],
  t: ['trade', 'offer'],
  s: ['steal'],
  g: ['travel', 'travel-0'],
  p: ['propose', 'pay', 'play', 'accept', 'react', 'stop', 'pass'],
  x: ['decline', 'withdraw', 'put-away', 'back', 'allow'],
  k: ['counter'],
};

/** Presses the first button under `near` that a key stands for; false when there is none. */
export function pressed(key: string, near: HTMLElement | undefined): boolean {
  for (const id of PRESSES[key] ?? []) {
    const target = near?.querySelector<HTMLElement>(`[data-choice="${id}"]`);
    if (target) {
      target.click();
      return true;
    }
  }
  return false;
}
