import { CITIES, CITY, CODES, SIDES, type Place, type Side } from './layout';

export interface Label {
  city: string;
  text: string;
  x: number;
  y: number;
  anchor: 'start' | 'middle' | 'end';
  size: number;
}

/** Larger towns get their whole name first when there is little room. */
const FIRST = ['Roma', 'Milano', 'Napoli', 'Torino', 'Palermo', 'Venezia', 'Genova', 'Firenze', 'Bologna', 'Bari'];
const ORDER = [...CITIES].sort((a, b) => rank(a.name) - rank(b.name));

function rank(name: string): number {
  const place = FIRST.indexOf(name);
  return place < 0 ? FIRST.length : place;
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const clash = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

function placed(city: Place, text: string, size: number, side: Side): Label & { box: Box } {
  const width = text.length * size * 0.6;
  const gap = CITY + 5;
  const across = side === 'left' ? -gap : side === 'right' ? gap : 0;
  const down = side === 'above' ? -gap : side === 'below' ? gap + size * 0.62 : size * 0.33;
  const anchor = side === 'left' ? 'end' : side === 'right' ? 'start' : 'middle';
  const [x, y] = [city.x + across, city.y + down];
  const left = anchor === 'end' ? x - width : anchor === 'start' ? x : x - width / 2;
  return {
    city: city.name,
    text,
    x,
    y,
    anchor,
    size,
    box: { left, right: left + width, top: y - size * 0.8, bottom: y + size * 0.15 },
  };
}

/**
 * The names of the cities at some scale: always of a size that can be read, and cut to two letters where they would meet.
 * Those that are lit come first, and rather stand on another side than be cut.
 */
export function labelsAt(scale: number, lit: ReadonlySet<string> = new Set()): Label[] {
  const size = Math.max(11.5, Math.min(17, 19 * scale)) / scale;
  const taken: Box[] = CITIES.map(({ x, y }) => ({
    left: x - CITY,
    right: x + CITY,
    top: y - CITY,
    bottom: y + CITY,
  }));
  return [...ORDER.filter(({ name }) => lit.has(name)), ...ORDER.filter(({ name }) => !lit.has(name))].map((city) => {
    const side = SIDES[city.name] ?? 'right';
    const sides: Side[] = lit.has(city.name) ? [side, 'right', 'left', 'below', 'above'] : [side];
    const whole = sides
      .map((one) => placed(city, city.name, size, one))
      .find((one) => !taken.some((box) => clash(box, one.box)));
    const { box, ...label } = whole ?? placed(city, CODES[city.name] ?? city.name, size, side);
    taken.push(box);
    return label;
  });
}

/** The size on the map of the letters on spaces: as large as a space allows when the map is small, and 0 when nobody could read them. */
export function letterSize(scale: number): number {
  return scale * 15 < 7.8 ? 0 : Math.min(15, Math.max(11, 8.5 / scale));
}
