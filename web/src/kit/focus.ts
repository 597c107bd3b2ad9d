/** Whether the last press was on the keyboard. Then the focus must not be lost or out of sight. */
let keyboard = false;
addEventListener('keydown', () => (keyboard = true), true);
addEventListener('pointerdown', () => (keyboard = false), true);

export const byKeyboard = (): boolean => keyboard;

/** For a keyboard player, the focus goes to what a key has opened. */
export function focusByKeys(to: HTMLElement | null | undefined): void {
  if (keyboard) to?.focus();
}

/** Focuses this element if the focus was lost with a removed button, or has moved to the prompt because of that. */
export function recoverFocus(to: () => HTMLElement | null | undefined): void {
  const here = document.activeElement;
  if (!here || here === document.body || here.matches('[data-anchor=prompt]')) focusByKeys(to());
}

/** What had the focus last, and its ancestors, the innermost first. */
let last: HTMLElement | null = null;
let ancestors: HTMLElement[] = [];
/** Whether it was disabled while it had the focus. */
let disabled = false;
addEventListener('focusin', ({ target }) => {
  last = target as HTMLElement;
  ancestors = [];
  for (let part = last.parentElement; part; part = part.parentElement) ancestors.push(part);
  disabled = false;
});

const FOCUSABLE = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]';

/** What gets the focus at a table: a piece that was only moved, or the prompt, or the headline of the final page. */
function nextAtTable(): HTMLElement | null {
  const start = document.querySelector<HTMLElement>('[data-anchor=prompt]') ?? document.getElementById('headline');
  const moved = last?.isConnected && last.hasAttribute('data-piece') && !last.matches(':disabled') && last.checkVisibility();
  return start && moved ? last : start;
}

/** The heading that got the focus because nothing closer was left. */
let heading: HTMLElement | null = null;

/** What gets the focus on other pages: the first control left in the same part of the page, or the heading of a new page. */
function nextElsewhere(): HTMLElement | null {
  const main = document.querySelector('main');
  for (const part of ancestors) {
    if (!part.isConnected) continue;
    if (part === main || !main?.contains(part)) break;
    const first = [...part.querySelectorAll<HTMLElement>(FOCUSABLE)].find((one) => one.checkVisibility());
    if (first) return first;
  }
  heading = document.querySelector('h1');
  if (heading) heading.tabIndex = -1;
  return heading;
}

/** When the focused element disappears, moves the focus of a keyboard player to the next best place. */
export function keepFocus(): () => void {
  const look = () => {
    due = 0;
    if (!keyboard || !document.hasFocus() || document.querySelector('dialog:modal')) return;
    const here = document.activeElement;
    if (here !== document.body && here !== heading && !here?.matches(':disabled')) return;
    const next = nextAtTable();
    if (next) next.focus();
    else if (here === heading) return;
    else if (last && !last.isConnected) nextElsewhere()?.focus();
    else if (last?.matches(':disabled')) disabled = true;
    else if (disabled) last?.focus();
  };
  // In the next frame, because nothing has the focus for a moment while it moves.
  let due = 0;
  const watch = new MutationObserver(() => (due ||= requestAnimationFrame(look)));
  watch.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  return () => {
    watch.disconnect();
    cancelAnimationFrame(due);
  };
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

/** Scrolls the focused element out from under parts of the page that stay in place. */
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

/** Moves the focus to the next or previous piece or button that can be used, wrapping around at the ends. */
export function goToUsable(backwards: boolean): void {
  const usable = [...document.querySelectorAll<HTMLElement>('main [data-usable]:enabled')].filter((one) => one.checkVisibility());
  if (backwards) usable.reverse();
  const here = document.activeElement;
  const side = backwards ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
  const next = usable.find((one) => one !== here && here && here.compareDocumentPosition(one) & side);
  (next ?? usable[0])?.focus();
}
