/** Whether the last press was on the keyboard. Then the focus must not be lost or out of sight. */
let keyboard = false;
addEventListener('keydown', () => (keyboard = true), true);
addEventListener('pointerdown', () => (keyboard = false), true);

export const byKeyboard = (): boolean => keyboard;

/** A removed button takes the focus with it: for a keyboard player, the focus goes on to this element. */
export function recoverFocus(to: () => HTMLElement | null | undefined): void {
  if (keyboard && (!document.activeElement || document.activeElement === document.body)) to()?.focus();
}

/** Attach it to a heading that appears in place of what had the focus. */
export function takeLostFocus(heading: HTMLElement): void {
  recoverFocus(() => heading);
}

const MARGIN = 10;
const EDGE = 3;
const TRIES = 3;

/** The part of the page that stays in place on the screen and hides this point of the element. */
function coverAt(element: Element, x: number, y: number): DOMRect | null {
  const top = document.elementFromPoint(x, y);
  if (!top || element.contains(top) || top.contains(element)) return null;
  for (let part: Element | null = top; part && !part.contains(element); part = part.parentElement)
    if (['sticky', 'fixed'].includes(getComputedStyle(part).position)) return part.getBoundingClientRect();
  return null;
}

/** Scrolls until what the keyboard has moved the focus to is not hidden below something that stays in place. */
export function uncover(): void {
  const element = document.activeElement;
  if (!keyboard || !element || element === document.body || element.closest('dialog')) return;
  element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  for (let tries = 0; tries < TRIES; tries++) {
    const box = element.getBoundingClientRect();
    const x = box.left + box.width / 2;
    const below = coverAt(element, x, box.bottom - EDGE);
    const above = below ? null : coverAt(element, x, box.top + EDGE);
    const by = below ? box.bottom - below.top + MARGIN : above ? box.top - above.bottom - MARGIN : 0;
    if (!by) return;
    scrollBy({ top: by, behavior: 'instant' });
  }
}

/** Moves the focus to the next thing on the page that a move uses, or to the one before; round the ends. */
export function goToUsable(backwards: boolean): void {
  const usable = [...document.querySelectorAll<HTMLElement>('main [data-usable]:enabled')].filter((one) => one.checkVisibility());
  if (backwards) usable.reverse();
  const here = document.activeElement;
  const side = backwards ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
  const next = usable.find((one) => one !== here && here && here.compareDocumentPosition(one) & side);
  (next ?? usable[0])?.focus();
}
