import { CITIES, CITY, CODES, SIDES, type Place, type Side, type Spot } from './layout';

export interface Label {
  city: string;
  text: string;
  x: number;
  y: number;
  anchor: 'start' | 'middle' | 'end';
  size: number;
  box: Box;
}

/** Larger towns get their whole name first when there is little room. */
const FIRST = ['Roma', 'Milano', 'Napoli', 'Torino', 'Palermo', 'Venezia', 'Genova', 'Firenze', 'Bologna', 'Bari'];
const ORDER = [...CITIES].sort((a, b) => rank(a.name) - rank(b.name));

function rank(name: string): number {
  const place = FIRST.indexOf(name);
  return place < 0 ? FIRST.length : place;
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A square around a spot. */
export const boxOf = ({ x, y }: Spot, half: number): Box => ({
  left: x - half,
  right: x + half,
  top: y - half,
  bottom: y + half,
});

export const clash = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

function placed(city: Place, text: string, size: number, side: Side): Label {
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
 * Those that are lit come first, and rather stand on another side than be cut; two letters stand where there is room.
 */
export function labelsAt(scale: number, lit: ReadonlySet<string> = new Set()): Label[] {
  const size = Math.max(11.5, Math.min(17, 19 * scale)) / scale;
  const taken: Box[] = CITIES.map((city) => boxOf(city, CITY));
  return [...ORDER.filter(({ name }) => lit.has(name)), ...ORDER.filter(({ name }) => !lit.has(name))].map((city) => {
    const side = SIDES[city.name] ?? 'right';
    const sides: Side[] = [side, 'right', 'left', 'below', 'above'];
    const free = (text: string, among: Side[]) =>
      among.map((one) => placed(city, text, size, one)).find((one) => !taken.some((box) => clash(box, one.box)));
    const code = CODES[city.name] ?? city.name;
    const whole = free(city.name, lit.has(city.name) ? sides : [side]);
    const label = whole ?? free(code, sides) ?? placed(city, code, size, side);
    taken.push(label.box);
    return label;
  });
}

/** The size on the map of the letters on spaces: as large as a space allows when the map is small, and 0 when nobody could read them. */
export function letterSize(scale: number): number {
  return scale * 15 < 7.8 ? 0 : Math.min(15, Math.max(11, 8.5 / scale));
}
