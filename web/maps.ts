/**
 * Makes the map of Italy during the build: shapes from two packages, and cities, routes and tickets from the game's own
 * data, all in the units of one drawing. Only the result is shipped.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { geoMercator, geoPath } from 'd3-geo';
import { feature } from 'topojson-client';
import type { Plugin } from 'vite';

/** The part of the earth that is drawn, and the width of the drawing. */
const FRAME = { west: 5.72, east: 19.2, south: 36.3, north: 47.72, width: 1000 };
/** How far the drawing extends beyond it, for windows of other proportions. */
const MARGIN = 700;
const GAME = new URL('../src/grandtour/games/ticket_to_ride_italy/map.json', import.meta.url);

/** The package's names of the regions, and the game's. Regions without a city of the game have an empty name. */
const REGIONS: Record<string, string | null> = {
  abruzzo: 'Abruzzo',
  'aosta-valley': null,
  apulia: 'Puglia',
  basilicata: null,
  calabria: 'Calabria',
  campania: 'Campania',
  'emilia-romagna': 'Emilia-Romagna',
  'friuli-venezia-giulia': 'Friuli-Venezia Giulia',
  lazio: 'Lazio',
  liguria: 'Liguria',
  lombardy: 'Lombardia',
  marche: 'Marche',
  molise: null,
  piedmont: 'Piemonte',
  sardinia: 'Sardegna',
  sicily: 'Sicilia',
  'trentino-south-tyrol': 'Trentino-Alto Adige',
  tuscany: 'Toscana',
  umbria: 'Umbria',
  veneto: 'Veneto',
};
const ZONES: Record<string, string> = {
  Switzerland: 'Svizzera',
  France: 'Francia',
  Austria: 'Austria',
  Croatia: 'Croazia',
  Monaco: 'Monaco',
};

type Point = [number, number];
type Box = [Point, Point];
type Country = { properties: { name: string }; geometry: unknown };

/** The corners of a path that consists of straight lines, one list for each closed line. */
function linesOf(path: string): Point[][] {
  const tokens = path.match(/[a-z]|-?\d*\.?\d+(?:e-?\d+)?/gi) ?? [];
  const lines: Point[][] = [];
  let [x, y, command, at] = [0, 0, 'm', 0];
  const take = () => Number(tokens[at++]);
  while (at < tokens.length) {
    if (/[a-z]/i.test(tokens[at]!)) command = tokens[at++]!;
    const from: Point = command === command.toLowerCase() ? [x, y] : [0, 0];
    switch (command.toLowerCase()) {
      case 'z':
        [x, y] = lines.at(-1)![0]!;
        continue;
      case 'h':
        x = from[0] + take();
        break;
      case 'v':
        y = from[1] + take();
        break;
      case 'm':
      case 'l':
        [x, y] = [from[0] + take(), from[1] + take()];
        break;
      default:
        throw new Error(`a path with ${command} in it is not understood`);
    }
    if (command.toLowerCase() === 'm') {
      lines.push([[x, y]]);
      command = command === 'm' ? 'l' : 'L';
    } else lines.at(-1)!.push([x, y]);
  }
  return lines;
}

function boxOf(points: Point[]): Box {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return [
    [Math.min(...xs), Math.min(...ys)],
    [Math.max(...xs), Math.max(...ys)],
  ];
}

const round = (value: number) => Math.round(value * 10) / 10;

/**
 * How exactly a line is drawn: corners that are nearer to each other than `apart` are merged, and coordinates are rounded
 * to `unit`. Neighbouring countries, and land under our own regions, may be coarser than the regions.
 */
interface Grain {
  apart: number;
  unit: number;
}
const FINE: Grain = { apart: 1.4, unit: 0.1 };
const UNDER: Grain = { apart: 2, unit: 0.5 };
const COARSE: Grain = { apart: 4, unit: 1 };

/** A closed line without corners that nobody would miss. Relative coordinates make it half as long. */
function drawn(points: Point[], { apart, unit }: Grain): string {
  const kept: Point[] = [];
  for (const point of points) {
    const last = kept.at(-1);
    if (!last || Math.hypot(point[0] - last[0], point[1] - last[1]) > apart) kept.push(point);
  }
  if (kept.length < 4) return '';
  // Counted in whole units, so that rounding errors do not add up.
  const [first, ...others] = kept.map(([x, y]): Point => [Math.round(x / unit), Math.round(y / unit)]);
  const inUnits = (count: number) => String(round(count * unit)).replace(/^(-?)0\./, '$1.');
  let [x, y] = first!;
  const steps = others.flatMap((to) => {
    const step = [to[0] - x, to[1] - y];
    [x, y] = to;
    return step;
  });
  const written = steps.map(inUnits);
  return `M${inUnits(first![0])} ${inUnits(first![1])}l${written.join(' ').replaceAll(' -', '-')}Z`;
}

function draw() {
  const require = createRequire(import.meta.url);
  const game = JSON.parse(readFileSync(GAME, 'utf8'));
  /** The countries of an atlas, or only the one with this name, because each takes time to assemble. */
  const atlas = (file: string, only?: string) => {
    const world = JSON.parse(readFileSync(require.resolve(`world-atlas/${file}.json`), 'utf8'));
    const shapes = world.objects.countries.geometries.filter((one: Country) => !only || one.properties.name === only);
    return shapes.map((shape: never) => feature(world, shape)) as Country[];
  };
  const italy = require('@svg-maps/italy');
  const map = (italy.default ?? italy) as { locations: { id: string; path: string }[] };

  const projection = geoMercator().scale(1).translate([0, 0]);
  const [west, north] = projection([FRAME.west, FRAME.north])!;
  const [east, south] = projection([FRAME.east, FRAME.south])!;
  const scale = FRAME.width / (east! - west!);
  const height = (south! - north!) * scale;
  projection
    .scale(scale)
    .translate([-west! * scale, -north! * scale])
    .clipExtent([
      [-MARGIN, -MARGIN],
      [FRAME.width + MARGIN, height + MARGIN],
    ]);

  const path = geoPath(projection).digits(1);
  const seen = atlas('countries-50m').flatMap((country) => {
    const grain = country.properties.name === 'Italy' ? UNDER : COARSE;
    const line = linesOf(path(country as never) ?? '')
      .map((corners) => drawn(corners, grain))
      .join('');
    return line.length > 30 ? [{ name: country.properties.name, zone: ZONES[country.properties.name] ?? null, path: line }] : [];
  });

  // The regions come from a separate drawing in the same projection, so the same frame around Italy aligns both.
  // Only the most detailed atlas has the outermost small islands.
  const [home] = atlas('countries-10m', 'Italy');
  const whole = geoMercator().scale(scale).translate(projection.translate());
  const there = geoPath(whole).bounds(home as never) as Box;
  const shapes = map.locations.map(({ id, path }) => ({ id, lines: linesOf(path) }));
  const here = boxOf(shapes.flatMap(({ lines }) => lines.flat()));
  const fit = (axis: 0 | 1, value: number) =>
    there[0][axis] + ((value - here[0][axis]) * (there[1][axis] - there[0][axis])) / (here[1][axis] - here[0][axis]);
  const regions = shapes.map(({ id, lines }) => {
    if (!(id in REGIONS)) throw new Error(`no region is called ${id}`);
    const placed = lines.map((line) => line.map(([x, y]): Point => [fit(0, x), fit(1, y)]));
    return { name: REGIONS[id]!, path: placed.map((line) => drawn(line, FINE)).join('') };
  });

  const spot = ({ lon, lat }: { lon: number; lat: number }) => {
    const [x, y] = whole([lon, lat])!;
    return { x: round(x), y: round(y) };
  };
  type City = { name: string; region: string; lat: number; lon: number };
  type End = { name: string; zone: string; label: string; lat: number; lon: number };
  type Route = { name: string; a: string; b: string; length: number; colour: string; waves: number };
  type Ticket = { a: string; b: string; points: number };
  const points: Record<number, number> = Object.fromEntries(
    game.points.map((row: { length: number; points: number }) => [row.length, row.points]),
  );
  return {
    width: FRAME.width,
    height: Math.round(height),
    countries: seen,
    shapes: regions,
    regions: game.regions.map(({ name, twice }: { name: string; twice: boolean }) => ({ name, twice })),
    bonus: game.bonus.map((row: { regions: number; points: number }) => [row.regions, row.points]),
    cities: game.cities.map((city: City) => ({ name: city.name, region: city.region, ...spot(city) })),
    ends: game.ends.map((end: End) => ({ name: end.name, zone: end.zone, ...spot(end) })),
    routes: game.routes.map(({ name, a, b, length, colour, waves }: Route) => ({
      name,
      a,
      b,
      length,
      colour,
      waves,
      points: points[length],
    })),
    tickets: game.tickets.map(({ a, b, points }: Ticket) => ({ name: `${a}-${b}`, a, b, points })),
  };
}

/** `import italy from 'map:italy'`; `src/maps.d.ts` declares its type. */
export function maps(): Plugin {
  return {
    name: 'maps',
    resolveId: (id) => (id === 'map:italy' ? `\0${id}` : undefined),
    load(id) {
      if (id !== '\0map:italy') return undefined;
      this.addWatchFile(GAME.pathname);
      return `export default ${JSON.stringify(draw())}`;
    },
  };
}
