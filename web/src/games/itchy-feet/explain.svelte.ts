import { on } from 'svelte/events';

/** A card explains itself on hover, on focus and on a long press. */
const LONG_PRESS = 450;
const HOVER_DELAY = 220;

interface Told {
  card: string;
  at: Element;
}

let told = $state.raw<Told | null>(null);

export const explained = {
  get now() {
    return told;
  },
  clear() {
    told = null;
  },
};

/** Attach it to any element that shows a card. */
export function explains(card: string | null) {
  return (node: HTMLElement): (() => void) => {
    if (!card) return () => undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let long = false;

    const tell = () => (told = { card, at: node });
    const hush = () => {
      clearTimeout(timer);
      if (told?.at === node) told = null;
    };
    const wait = (after: number) => {
      clearTimeout(timer);
      timer = setTimeout(tell, after);
    };
    const enter = (event: PointerEvent) => event.pointerType === 'mouse' && wait(HOVER_DELAY);
    const leave = (event: PointerEvent) => event.pointerType === 'mouse' && hush();
    const down = (event: PointerEvent) => {
      hush();
      long = false;
      if (event.pointerType === 'mouse') return;
      timer = setTimeout(() => {
        long = true;
        tell();
      }, LONG_PRESS);
    };
    const up = () => clearTimeout(timer);
    const move = (event: PointerEvent) =>
      event.pointerType !== 'mouse' && Math.hypot(event.movementX, event.movementY) > 4 && up();
    // A long press only explains; it does not choose.
    const click = (event: MouseEvent) => {
      if (!long) return;
      long = false;
      event.stopPropagation();
      event.preventDefault();
    };
    const menu = (event: Event) => event.preventDefault();
    const focus = (event: FocusEvent) => (event.target as Element).matches(':focus-visible') && wait(HOVER_DELAY);

    const listeners: [string, (event: never) => unknown, boolean][] = [
      ['pointerenter', enter, false],
      ['pointerleave', leave, false],
      ['pointerdown', down, false],
      ['pointerup', up, false],
      ['pointercancel', up, false],
      ['pointermove', move, false],
      ['click', click, true],
      ['contextmenu', menu, false],
      ['focusin', focus, false],
      ['focusout', hush, false],
    ];
    // A card that has the focus loses it while the board is being redrawn: Svelte must not treat this change as part of the redraw.
    const offs = listeners.map(([name, listen, capture]) => on(node, name, listen as EventListener, { capture }));
    return () => {
      hush();
      for (const off of offs) off();
    };
  };
}
