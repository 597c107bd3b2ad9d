const piecesOf = (group: HTMLElement) => [...group.querySelectorAll<HTMLElement>('[data-piece]')];

/** The nearest piece in the next row above or below, or null in the last row. */
function inNextRow(here: HTMLElement, pieces: HTMLElement[], step: 1 | -1): HTMLElement | null {
  const from = here.getBoundingClientRect();
  let [best, least] = [null as HTMLElement | null, Infinity];
  for (const piece of pieces) {
    const box = piece.getBoundingClientRect();
    const [across, down] = [Math.abs(box.x + box.width / 2 - from.x - from.width / 2), (box.y - from.y) * step];
    // Cards that are chosen are raised a little: they are still in the same row.
    if (down > from.height / 2 && down * 4 + across < least) [best, least] = [piece, down * 4 + across];
  }
  return best;
}

/** Arrow keys walk over the pieces of a group: left and right in order and round the ends, up and down between rows. */
export function arrows(group: HTMLElement): () => void {
  function key(event: KeyboardEvent) {
    if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 } as const)[event.key];
    const end = { Home: 0, End: -1 }[event.key];
    if (step === undefined && end === undefined) return;
    const pieces = piecesOf(group);
    const at = pieces.indexOf(document.activeElement as HTMLElement);
    const here = pieces[at];
    if (!here) return;
    const next = () => (step === undefined ? pieces.at(end!) : pieces[(at + step + pieces.length) % pieces.length]);
    const rows = event.key === 'ArrowDown' || event.key === 'ArrowUp';
    const [up, down] = rows ? [inNextRow(here, pieces, -1), inNextRow(here, pieces, 1)] : [null, null];
    (up || down ? (event.key === 'ArrowUp' ? up : down) : next())?.focus();
    event.preventDefault();
  }
  group.addEventListener('keydown', key);
  return () => group.removeEventListener('keydown', key);
}

/** The same for a group of many pieces, of which Tab reaches one: the first, or where the focus last was. */
export function arrowsOnly(group: HTMLElement): () => void {
  const leave = arrows(group);
  let stop: HTMLElement | undefined;
  function mark() {
    const pieces = piecesOf(group);
    stop = pieces.find((piece) => piece === stop) ?? pieces[0];
    for (const piece of pieces) piece.tabIndex = piece === stop ? 0 : -1;
  }
  function focused(event: FocusEvent) {
    stop = (event.target as HTMLElement).closest<HTMLElement>('[data-piece]') ?? stop;
    mark();
  }
  mark();
  const changes = new MutationObserver(mark);
  changes.observe(group, { childList: true, subtree: true });
  group.addEventListener('focusin', focused);
  return () => {
    leave();
    changes.disconnect();
    group.removeEventListener('focusin', focused);
  };
}
