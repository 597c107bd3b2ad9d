/** Where things stand on the table: five piles in a ring, Roma in the middle, and the lines between them. */
interface Spot {
  x: number;
  y: number;
}

export interface Layout {
  width: number;
  height: number;
  pile: { width: number; height: number };
  spots: Record<string, Spot>;
  centre: Spot;
  roma: number;
  sun: number;
}

const clamp = (least: number, value: number, most: number) => Math.max(least, Math.min(value, most));

/** `ring` goes clockwise from the top. */
export function layOut(width: number, height: number, ring: string[]): Layout {
  const pileWidth = clamp(58, Math.min(width * 0.15, height * 0.2), 92);
  const pile = { width: pileWidth, height: Math.round(pileWidth * 1.2) };
  const top = pile.height / 2 + 8;
  const bottom = height - pile.height / 2 - 16;
  // A pentagon standing on its side: its lower corners are cos 36° below the centre, its wide ones sin 72° beside it.
  const down = Math.max(0, bottom - top) / (1 + Math.cos(Math.PI / 5));
  const aside = Math.min((width - pile.width - 12) / 2 / Math.sin((2 * Math.PI) / 5), down * 1.55);
  const centre = { x: width / 2, y: top + down };
  const spots: Record<string, Spot> = { Roma: centre };
  for (const [place, city] of ring.entries()) {
    const angle = (place * 2 * Math.PI) / ring.length - Math.PI / 2;
    spots[city] = { x: centre.x + aside * Math.cos(angle), y: centre.y + down * Math.sin(angle) };
  }
  return {
    width,
    height,
    pile,
    spots,
    centre,
    roma: clamp(24, down * 0.27, 44),
    sun: Math.max(0, Math.min(down * 1.1, aside)),
  };
}

export interface Line {
  path: string;
  /** Where its ticket lies. */
  lies: Spot;
  /** How the line runs, in degrees, never upside down. */
  turn: number;
  /** Read that way, `from` comes first. */
  forward: boolean;
}

/**
 * The line from one city to another. Neighbours in the ring are joined by the ring's own bend;
 * several lines between the same two (`nth` of `of`) part like tracks.
 */
export function lineBetween(layout: Layout, from: string, to: string, nth = 0, of = 1): Line {
  const a = layout.spots[from] ?? layout.centre;
  const b = layout.spots[to] ?? layout.centre;
  const { centre } = layout;
  const mid = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  const out = { x: mid.x - centre.x, y: mid.y - centre.y };
  const away = Math.hypot(out.x, out.y);
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const side = { x: -(b.y - a.y) / length, y: (b.x - a.x) / length };
  const towardsOut = side.x * out.x + side.y * out.y >= 0 ? 1 : -1;
  const roma = from === 'Roma' || to === 'Roma';
  const rim = !roma && away > length * 0.4;
  const bend = roma ? 0 : length * (rim ? 0.2 : 0.06);
  const gap = Math.min(64, length * 0.46);
  // On the ring itself a second track lies inside the first: outside is no room.
  const push = rim
    ? (bend - nth * gap) * towardsOut
    : bend * towardsOut + (nth - (of - 1) / 2) * gap * (from < to ? 1 : -1);
  const control = { x: mid.x + side.x * push, y: mid.y + side.y * push };
  // Lines across the table are crossed in their middle by the way to Roma, so their tickets lie nearer to one end.
  const lies = spotOn(layout, [a, control, b], rim || roma ? 0.5 : from < to ? 0.2 : 0.8);
  const angle = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
  const forward = angle > -90 && angle <= 90;
  const turn = forward ? angle : angle > 90 ? angle - 180 : angle + 180;
  const n = (value: number) => value.toFixed(1);
  return { path: `M${n(a.x)} ${n(a.y)}Q${n(control.x)} ${n(control.y)} ${n(b.x)} ${n(b.y)}`, lies, turn, forward };
}

/** A spot on the visible part of a bend, between the piles or Roma at its ends; `share` 0.5 is its middle. */
function spotOn({ pile, spots, centre, roma }: Layout, [a, control, b]: [Spot, Spot, Spot], share: number): Spot {
  const at = (t: number): Spot => ({
    x: (1 - t) ** 2 * a.x + 2 * t * (1 - t) * control.x + t ** 2 * b.x,
    y: (1 - t) ** 2 * a.y + 2 * t * (1 - t) * control.y + t ** 2 * b.y,
  });
  const hidden = ({ x, y }: Spot) =>
    Math.hypot(x - centre.x, y - centre.y) < roma + 4 ||
    Object.values(spots).some(
      (spot) =>
        spot !== centre && Math.abs(x - spot.x) < pile.width / 2 && Math.abs(y - spot.y - 4) < pile.height / 2 + 6,
    );
  const seen = Array.from({ length: 41 }, (_, n) => n / 40).filter((t) => !hidden(at(t)));
  return at(seen.length ? seen[0]! * (1 - share) + seen.at(-1)! * share : 0.5);
}

export interface Step extends Line {
  ticket: string;
  from: string;
  to: string;
}

/** One line per ticket, in travel order. */
export function linesOf(layout: Layout, tickets: string[]): Step[] {
  const pairOf = (ticket: string) => ticket.split('-').sort().join();
  return tickets.map((ticket, index) => {
    const [from = '', to = ''] = ticket.split('-');
    const pair = pairOf(ticket);
    const same = tickets.filter((one) => pairOf(one) === pair).length;
    const nth = tickets.slice(0, index).filter((one) => pairOf(one) === pair).length;
    return { ticket, from, to, ...lineBetween(layout, from, to, nth, same) };
  });
}
