/** Places a note that points at a piece of the board: beside the piece, never over it. */

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Spot {
  left: number;
  top: number;
  /** Where the note stands, seen from the piece; 'free' when there is no room beside it. */
  side: 'below' | 'above' | 'right' | 'left' | 'free';
  /** How far along its own edge the note's arrow is. */
  tip: number;
  /** The part of the piece that is on the screen. */
  target: Box | null;
}

const GAP = 14;
const MARGIN = 8;
/** The arrow keeps this far from the note's corners. */
const CORNER = 20;

const between = (low: number, value: number, high: number): number => Math.max(low, Math.min(value, high));

const overlap = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top));

export function beside(
  piece: Box,
  note: { width: number; height: number },
  screen = { width: document.documentElement.clientWidth, height: innerHeight },
): Spot {
  const { width, height } = note;
  const most = { left: screen.width - width - MARGIN, top: screen.height - height - MARGIN };
  const low: Spot = { left: Math.max(MARGIN, (screen.width - width) / 2), top: most.top, side: 'free', tip: 0, target: null };
  const target = visible(piece, screen);
  if (!target) return low;
  const middle = { x: target.left + target.width / 2, y: target.top + target.height / 2 };
  const left = between(MARGIN, middle.x - width / 2, most.left);
  const top = between(MARGIN, middle.y - height / 2, most.top);
  const across = { tip: between(CORNER, middle.x - left, width - CORNER), target };
  const along = { tip: between(CORNER, middle.y - top, height - CORNER), target };
  const spots: Spot[] = [
    { left, top: target.top + target.height + GAP, side: 'below', ...across },
    { left, top: target.top - height - GAP, side: 'above', ...across },
    { left: target.left + target.width + GAP, top, side: 'right', ...along },
    { left: target.left - width - GAP, top, side: 'left', ...along },
  ];
  const fits = spots.find((one) => one.left >= 0 && one.top >= 0 && one.left <= most.left + MARGIN && one.top <= most.top + MARGIN);
  if (fits) return fits;
  // A piece as large as the screen: in the corner where it covers the least of it.
  const corners = [MARGIN, most.top].flatMap((y) => [MARGIN, most.left].map((x) => ({ ...low, left: x, top: y, target })));
  const covered = (one: Spot) => overlap({ ...one, width, height }, target);
  return corners.reduce((best, one) => (covered(one) <= covered(best) ? one : best));
}

function visible(piece: Box, screen: { width: number; height: number }): Box | null {
  const left = Math.max(0, piece.left);
  const top = Math.max(0, piece.top);
  const width = Math.min(screen.width, piece.left + piece.width) - left;
  const height = Math.min(screen.height, piece.top + piece.height) - top;
  return width > 0 && height > 0 ? { left, top, width, height } : null;
}
