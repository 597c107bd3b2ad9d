/** Arrow keys walk over the pieces of a group, in order and round the ends. Attach it to the group. */
export function arrows(group: HTMLElement): () => void {
  function key(event: KeyboardEvent) {
    if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const end = { Home: 0, End: -1 }[event.key];
    if (step === undefined && end === undefined) return;
    const pieces = [...group.querySelectorAll<HTMLElement>('[data-piece]')];
    const here = pieces.indexOf(document.activeElement as HTMLElement);
    if (here < 0) return;
    const next = step === undefined ? pieces.at(end!) : pieces[(here + step + pieces.length) % pieces.length];
    next?.focus();
    event.preventDefault();
  }
  group.addEventListener('keydown', key);
  return () => group.removeEventListener('keydown', key);
}
