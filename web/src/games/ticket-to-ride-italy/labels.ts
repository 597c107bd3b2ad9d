import { READABLE } from './camera.svelte';
import { CITIES, CITY, CODES, SIDES, WIDTH, type Place, type Side, type Spot } from './layout';

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

/** Half of a city's mark as it is drawn: never too small to be seen. */
export const markAt = (scale: number) => Math.max(CITY, 3.6 / scale);

type Stand = [across: -1 | 0 | 1, down: -1 | 0 | 1];
const STANDS: Record<Side, Stand> = { right: [1, 0], left: [-1, 0], above: [0, -1], below: [0, 1] };
/** Around the city, the best first. */
const AROUND: Stand[] = [[1, 0], [-1, 0], [0, 1], [0, -1], [1, -1], [1, 1], [-1, -1], [-1, 1]];

function placed(city: Place, text: string, width: number, size: number, gap: number, [across, down]: Stand): Label {
  const near = across && down ? gap * 0.6 : gap;
  const anchor = across < 0 ? 'end' : across ? 'start' : 'middle';
  const [x, y] = [city.x + across * near, city.y + [-near, size * 0.33, near + size * 0.62][down + 1]!];
  const left = across < 0 ? x - width : across ? x : x - width / 2;
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

/** Everything that may be written beside a mark. */
export const WORDS = CITIES.flatMap(({ name }) => [name, CODES[name] ?? name]);

/** The width of a word, in parts of the size of its letters. */
export type WidthOf = (word: string) => number;

/** How far beyond the map's sides a window goes that shows so much of it across. */
export const spareOf = (across: number) => Math.max(0, (across - WIDTH) / 2);

/** Names in this order, and the first city that found no room and must have some, if there is one. */
function attempt(
  order: Place[],
  scale: number,
  across: number,
  lit: ReadonlySet<string>,
  widthOf: WidthOf,
  cut: ReadonlySet<string>,
): [labels: Label[], stuck: Place | null] {
  const size = Math.max(11.5, Math.min(17, 19 * scale)) / scale;
  const mark = markAt(scale);
  const spare = spareOf(across);
  // On a map too small for all names, those that are lit may cover the marks of others.
  const above = (name: string) => scale < READABLE && lit.has(name);
  const marks = CITIES.map((city) => ({ name: city.name, box: boxOf(city, mark) }));
  const taken: Box[] = [];
  const fits = ({ city, box }: Label) =>
    box.left > -spare &&
    box.right < WIDTH + spare &&
    !taken.some((other) => clash(other, box)) &&
    !marks.some(({ name, box: other }) => (!above(city) || lit.has(name)) && clash(other, box));
  let stuck: Place | null = null;
  const labels = order.flatMap((city) => {
    const side = STANDS[SIDES[city.name] ?? 'right'];
    const at = (text: string, stand: Stand) => placed(city, text, widthOf(text) * size, size, mark + 5, stand);
    const free = (text: string, among: Stand[]) => among.map((one) => at(text, one)).find(fits);
    const code = CODES[city.name] ?? city.name;
    const whole = free(city.name, cut.has(city.name) ? [] : lit.has(city.name) ? [side, ...AROUND] : [side]);
    const found = whole ?? free(code, [side, ...AROUND]);
    if (!found && scale < READABLE && (cut.has(city.name) || !lit.has(city.name))) return [];
    if (!found) stuck ??= city;
    const label = found ?? at(code, side);
    taken.push(label.box);
    return label;
  });
  return [labels, stuck];
}

/**
 * The names of the cities at some scale, in a window that shows so much of the map across: always of a size that can be
 * read, and cut to two letters where they would meet. Those that are lit come first, and rather stand on another side
 * than be cut; two letters stand where there is room, and who finds none is the first to choose the next time. Where the
 * map is too small for all of them, names that are not highlighted are left out, and names without room are cut.
 */
export function labelsAt(scale: number, across: number, lit: ReadonlySet<string>, widthOf: WidthOf): Label[] {
  let order = [...ORDER.filter(({ name }) => lit.has(name)), ...ORDER.filter(({ name }) => !lit.has(name))];
  const cut = new Set<string>();
  let [best, stuck] = attempt(order, scale, across, lit, widthOf, cut);
  for (let tries = 0; stuck && tries < CITIES.length; tries++) {
    order = [stuck, ...order.filter((city) => city !== stuck)];
    if (scale < READABLE) cut.add(stuck.name);
    [best, stuck] = attempt(order, scale, across, lit, widthOf, cut);
  }
  return best;
}

/** Cities whose marks lie under the name of another one. */
export function coveredBy(labels: Label[], scale: number): Set<string> {
  const under = ({ name, x, y }: Place) =>
    labels.some((label) => label.city !== name && clash(label.box, boxOf({ x, y }, markAt(scale))));
  return new Set(CITIES.filter(under).map(({ name }) => name));
}

/** The size on the map of the letters on spaces: as large as a space allows when the map is small, and 0 when nobody could read them. */
export function letterSize(scale: number): number {
  return scale * 15 < 7.8 ? 0 : Math.min(15, Math.max(11, 8.5 / scale));
}
