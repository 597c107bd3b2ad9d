/**
 * Dragging by mouse and finger. A piece that is dragged onto something with `data-drop` calls
 * `dropped` with that name; a short press stays a click.
 */
export interface Drag {
  /** Whether it may be taken up now. */
  ready: () => boolean;
  /** It has been taken up. */
  lifted?: () => void;
  /** It was let go over this place. */
  dropped: (place: string) => void;
}

const FAR_ENOUGH = 8;

export function draggable(drag: Drag) {
  return (node: HTMLElement): (() => void) => {
    let start: { x: number; y: number; pointer: number } | null = null;
    let moving = false;
    let over: Element | null = null;

    const target = (event: PointerEvent): HTMLElement | null =>
      document
        .elementsFromPoint(event.clientX, event.clientY)
        .find((el) => el.closest('[data-drop]'))
        ?.closest<HTMLElement>('[data-drop]') ?? null;

    function mark(next: Element | null) {
      if (next === over) return;
      over?.removeAttribute('data-over');
      next?.setAttribute('data-over', '');
      over = next;
    }

    function down(event: PointerEvent) {
      if (event.button !== 0 || !drag.ready()) return;
      start = { x: event.clientX, y: event.clientY, pointer: event.pointerId };
    }

    function move(event: PointerEvent) {
      if (!start || event.pointerId !== start.pointer) return;
      const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
      if (!moving && Math.hypot(dx, dy) < FAR_ENOUGH) return;
      if (!moving) {
        moving = true;
        node.setPointerCapture(event.pointerId);
        node.setAttribute('data-dragged', '');
        drag.lifted?.();
      }
      node.style.translate = `${dx}px ${dy}px`;
      mark(target(event));
      event.preventDefault();
    }

    function finish(event: PointerEvent) {
      if (!start || event.pointerId !== start.pointer) return;
      const place = moving && event.type === 'pointerup' ? target(event)?.dataset.drop : undefined;
      start = null;
      if (!moving) return;
      moving = false;
      mark(null);
      node.style.translate = '';
      node.removeAttribute('data-dragged');
      // The press that ends a drag is no click.
      const swallow = (click: Event) => {
        click.stopPropagation();
        click.preventDefault();
      };
      node.addEventListener('click', swallow, { capture: true, once: true });
      setTimeout(() => node.removeEventListener('click', swallow, { capture: true }));
      if (place) drag.dropped(place);
    }

    // A fast drag leaves the piece before the first event, so the whole window listens.
    node.addEventListener('pointerdown', down);
    addEventListener('pointermove', move);
    addEventListener('pointerup', finish);
    addEventListener('pointercancel', finish);
    return () => {
      node.removeEventListener('pointerdown', down);
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', finish);
      removeEventListener('pointercancel', finish);
    };
  };
}
