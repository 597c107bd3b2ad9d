import { recall, remember } from './stored';

let on = $state(recall('shortcuts', true));

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
    if (target.closest('input, textarea, select, [contenteditable]') || document.querySelector('dialog:modal'))
      return null;
    return event.shiftKey && event.key.startsWith('Arrow') ? `Shift+${event.key}` : event.key;
  },
};
