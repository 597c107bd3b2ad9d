import { recall, remember } from './stored';

let on = $state(recall('shortcuts', true));

const FIELDS = 'input, textarea, select, [contenteditable]';

/** Escape leaves a field. A key held down since before a field had the focus types nothing into it. */
export function keepKeysApart(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  const field = target.closest?.<HTMLElement>(FIELDS) ?? null;
  if (!event.repeat) pressedIn = field;
  if (field && event.repeat && pressedIn !== field && event.key.length === 1) event.preventDefault();
  if (field && event.key === 'Escape' && !event.isComposing && !field.closest('dialog')) {
    field.blur();
    event.preventDefault();
  }
}
let pressedIn: HTMLElement | null = null;

/** Single-key shortcuts can be switched off, for those whose tools press keys for them. */
export const shortcuts = {
  get on() {
    return on;
  },
  set on(value: boolean) {
    on = value;
    remember('shortcuts', value);
  },
  /** The key of a press that is meant as a shortcut, or null: not while writing, not with a dialog open. */
  key(event: KeyboardEvent): string | null {
    if (!on || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return null;
    const target = event.target as HTMLElement;
    if (target.closest(FIELDS) || document.querySelector('dialog:modal'))
      return null;
    return event.shiftKey && event.key.startsWith('Arrow') ? `Shift+${event.key}` : event.key;
  },
};
