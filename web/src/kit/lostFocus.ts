/** Whether the last thing pressed was a key. */
let byKeys = false;
addEventListener('keydown', () => (byKeys = true), true);
addEventListener('pointerdown', () => (byKeys = false), true);

/** A removed button takes the focus with it: for a keyboard player, the focus goes on to this element. */
export function recoverFocus(to: () => HTMLElement | null | undefined): void {
  if (byKeys && (!document.activeElement || document.activeElement === document.body)) to()?.focus();
}
