/**
 * Where everything lies on the drawing. Cities lie where they are on earth, a few of them a little aside, where the
 * earth leaves no room for a train; what is drawn by hand is here, the rest follows.
 */
import italy from 'map:italy';

export interface Spot {
  x: number;
  y: number;
}
export interface Place extends Spot {
  name: string;
  /** What people read: the city, or the zone. */
  label: string;
  region: string | null;
  zone: string | null;
}
interface Space extends Spot {
  angle: number;
  wave: boolean;
}
export interface Track {
  name: string;
  a: Place;
  b: Place;
  length: number;
  colour: string;
  waves: number;
  points: number;
  /** "Roma–Napoli" */
  words: string;
  path: string;
  spaces: Space[];
  /** How long one space is. */
  size: number;
  middle: Spot;
  /** Points along it, close enough to tell how far a finger is from it. */
  line: Spot[];
  parallel: string[];
}

export const WIDTH = italy.width;
export const HEIGHT = italy.height;
/** Half of a city's mark: tracks begin beside it. */
export const CITY = 9;
const APART = 14;
const LONGEST = 36;

const MOVED: Record<string, [number, number]> = {
  Milano: [251, 252],
  Bergamo: [302, 212],
  Napoli: [624, 706],
  Salerno: [679, 744],
  Catania: [690, 1022],
  Siracusa: [711, 1084],
  Messina: [734, 963],
  Lecce: [932, 768],
  Sassari: [203, 722],
  Olbia: [286, 704],
  Venezia: [487, 250],
  'Svizzera@Torino': [128, 160],
  'Svizzera@Milano': [222, 146],
  'Svizzera@Bergamo': [304, 124],
  'Svizzera@Bolzano': [352, 112],
  'Francia@Torino': [56, 270],
  'Monaco@Torino': [108, 414],
  'Monaco@Genova': [130, 432],
  'Austria@Bolzano': [420, 46],
  'Austria@Tarvisio': [598, 72],
  'Croazia@Trieste': [664, 266],
  'Croazia@Ancona': [752, 404],
  'Croazia@Bari': [924, 512],
};

/** How far a connection swings out in its middle, to the left of the way from its first place to its second. */
const BENDS: Record<string, number> = {
  'Genova|Olbia': 52,
  'Olbia|Roma': 14,
  'Cagliari|Roma': -30,
  'Cagliari|Napoli': -34,
  'Cagliari|Palermo': -24,
  'Napoli|Palermo': -14,
  'Salerno|Messina': -16,
  'Salerno|Cosenza': 10,
  'Salerno|Taranto': 16,
  'Foggia|Bari': 12,
  'Bari|Lecce': 14,
  'Cosenza|Taranto': 24,
  'Palermo|Messina': 12,
  'Siracusa|Agrigento': 14,
  'Siracusa|Messina': -26,
  'Bolzano|Tarvisio': 10,
  'Bergamo|Bolzano': 8,
  'Venezia|Trieste': 8,
  'Venezia|Ancona': 14,
  'Trieste|Ancona': 16,
  'Tarvisio|Trieste': 8,
  'Genova|Pisa': 6,
  'Genova|Monaco@Genova': 12,
  'Torino|Monaco@Torino': 6,
  'Pescara|Foggia': 10,
  'Bari|Croazia@Bari': -22,
  'Ancona|Croazia@Ancona': 14,
};

export type Side = 'left' | 'right' | 'above' | 'below';
/** On which side of its mark a city's name stands. */
export const SIDES: Record<string, Side> = {
  Torino: 'left',
  Genova: 'below',
  Milano: 'left',
  Bergamo: 'left',
  Bolzano: 'above',
  Verona: 'below',
  Venezia: 'right',
  Tarvisio: 'right',
  Trieste: 'right',
  Parma: 'left',
  Bologna: 'above',
  Ravenna: 'right',
  Pisa: 'left',
  Firenze: 'right',
  Grosseto: 'left',
  Perugia: 'right',
  Ancona: 'right',
  Pescara: 'right',
  Roma: 'left',
  Napoli: 'left',
  Salerno: 'left',
  Foggia: 'above',
  Bari: 'above',
  Taranto: 'below',
  Lecce: 'below',
  Cosenza: 'right',
  Palermo: 'left',
  Agrigento: 'left',
  Catania: 'left',
  Siracusa: 'right',
  Messina: 'right',
  Olbia: 'above',
  Sassari: 'left',
  Cagliari: 'below',
};
/** Two letters, as on number plates, where there is no room for the name. */
export const CODES: Record<string, string> = {
  Torino: 'TO', Genova: 'GE', Milano: 'MI', Bergamo: 'BG', Bolzano: 'BZ', Verona: 'VR', Venezia: 'VE', Tarvisio: 'TV',
  Trieste: 'TS', Parma: 'PR', Bologna: 'BO', Ravenna: 'RA', Pisa: 'PI', Firenze: 'FI', Grosseto: 'GR', Perugia: 'PG',
  Ancona: 'AN', Pescara: 'PE', Roma: 'RM', Napoli: 'NA', Salerno: 'SA', Foggia: 'FG', Bari: 'BA', Taranto: 'TA',
  Lecce: 'LE', Cosenza: 'CS', Palermo: 'PA', Agrigento: 'AG', Catania: 'CT', Siracusa: 'SR', Messina: 'ME', Olbia: 'OT',
  Sassari: 'SS', Cagliari: 'CA',
};

/** Five soft tints, such that no two regions side by side have the same. */
export const TINTS: Record<string, number> = {
  Piemonte: 1, Lombardia: 2, Liguria: 3, 'Trentino-Alto Adige': 4, Veneto: 1, 'Friuli-Venezia Giulia': 3,
  'Emilia-Romagna': 5, Toscana: 1, Umbria: 3, Marche: 2, Lazio: 5, Abruzzo: 1, Campania: 3, Puglia: 2, Calabria: 4,
  Sicilia: 1, Sardegna: 3,
};

const at = (name: string, spot: Spot): Spot => {
  const moved = MOVED[name];
  return moved ? { x: moved[0], y: moved[1] } : { x: spot.x, y: spot.y };
};

export const CITIES: Place[] = italy.cities.map(({ name, region, x, y }) => ({
  name,
  label: name,
  region,
  zone: null,
  ...at(name, { x, y }),
}));
export const ENDS: Place[] = italy.ends.map(({ name, zone, x, y }) => ({
  name,
  label: zone,
  region: null,
  zone,
  ...at(name, { x, y }),
}));
const PLACES = new Map([...CITIES, ...ENDS].map((place) => [place.name, place]));

/** All places that serve as a city or a zone of a ticket. */
export const placesOf = (name: string): Place[] => [...CITIES, ...ENDS].filter((place) => place.label === name);

export const TICKETS = new Map(italy.tickets.map((ticket) => [ticket.name, ticket]));

const between = (a: Spot, b: Spot, bend: number, aside: number): Spot[] => {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const whole = Math.hypot(dx, dy);
  const [nx, ny] = [dy / whole, -dx / whole];
  const c = { x: (a.x + b.x) / 2 + nx * bend * 2, y: (a.y + b.y) / 2 + ny * bend * 2 };
  return Array.from({ length: 65 }, (_, index) => {
    const t = index / 64;
    const u = 1 - t;
    const [tx, ty] = [2 * u * (c.x - a.x) + 2 * t * (b.x - c.x), 2 * u * (c.y - a.y) + 2 * t * (b.y - c.y)];
    const speed = Math.hypot(tx, ty);
    return {
      x: u * u * a.x + 2 * u * t * c.x + t * t * b.x + (ty / speed) * aside,
      y: u * u * a.y + 2 * u * t * c.y + t * t * b.y - (tx / speed) * aside,
    };
  });
};

/** The place so far along a line, and which way the line goes there. */
function along(line: Spot[], sums: number[], far: number): Spot & { angle: number } {
  let index = sums.findIndex((sum) => sum >= far);
  if (index < 1) index = index < 0 ? line.length - 1 : 1;
  const [p, q] = [line[index - 1]!, line[index]!];
  const t = (far - sums[index - 1]!) / (sums[index]! - sums[index - 1]! || 1);
  return {
    x: p.x + (q.x - p.x) * t,
    y: p.y + (q.y - p.y) * t,
    angle: (Math.atan2(q.y - p.y, q.x - p.x) * 180) / Math.PI,
  };
}

const round = (value: number) => Math.round(value * 10) / 10;

/** Waves lie in the middle of a ferry, where the water is deepest. */
const waveAt = (index: number, length: number, waves: number) => {
  const first = Math.floor((length - waves) / 2);
  return index >= first && index < first + waves;
};

export const TRACKS: Track[] = italy.routes.map((route) => {
  const [a, b] = [PLACES.get(route.a)!, PLACES.get(route.b)!];
  const together = italy.routes.filter((other) => other.a === route.a && other.b === route.b);
  const aside = (together.indexOf(route) - (together.length - 1) / 2) * -APART;
  const line = between(a, b, BENDS[`${route.a}|${route.b}`] ?? 0, aside);
  const sums = line.map(() => 0);
  for (let i = 1; i < line.length; i++)
    sums[i] = sums[i - 1]! + Math.hypot(line[i]!.x - line[i - 1]!.x, line[i]!.y - line[i - 1]!.y);
  const start = CITY + 4;
  const free = sums.at(-1)! - start - (b.zone ? 2 : start);
  const step = free / route.length;
  const spaces = Array.from({ length: route.length }, (_, index) => {
    const spot = along(line, sums, start + step * (index + 0.5));
    return {
      x: round(spot.x),
      y: round(spot.y),
      angle: round(Math.abs(spot.angle) > 90 ? spot.angle + 180 : spot.angle),
      wave: waveAt(index, route.length, route.waves),
    };
  });
  const [from, to] = [along(line, sums, start), along(line, sums, start + free)];
  const inner = line.filter((_, index) => sums[index]! > start && sums[index]! < start + free);
  const shown = [from, ...inner, to];
  return {
    ...route,
    a,
    b,
    words: `${a.label}–${b.label}`,
    path: `M${shown.map((spot) => `${round(spot.x)} ${round(spot.y)}`).join('L')}`,
    spaces,
    size: round(Math.min(LONGEST, step - 3)),
    middle: along(line, sums, start + free / 2),
    line: shown,
    parallel: together.filter((other) => other !== route).map((other) => other.name),
  };
});
export const TRACK = new Map(TRACKS.map((track) => [track.name, track]));
export const REGIONS = italy.regions;
export const BONUS = italy.bonus;
export { default as italy } from 'map:italy';
