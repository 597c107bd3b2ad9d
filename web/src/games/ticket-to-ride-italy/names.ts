/** The names of regions and zones: what the map has room for, and where. */
import { CITIES, CITY, ENDS, WIDTH, type Spot } from './layout';
import { boxOf, clash, spareOf, type Box, type Label } from './labels';

export interface RegionName extends Spot {
  name: string;
  /** What is written where the whole name would not fit. */
  short?: string;
  turn?: number;
  /** A fine line leads here from the left end of a name that stands far out. */
  to?: Spot;
}

/** Between the tracks where there is room, else in the sea beside the coast. */
export const REGION_NAMES: RegionName[] = [
  { name: 'Piemonte', x: 105, y: 352, turn: -71 },
  { name: 'Liguria', x: 195, y: 422, turn: -30 },
  { name: 'Lombardia', x: 279, y: 137, turn: -72 },
  { name: 'Trentino-Alto Adige', short: 'Trentino', x: 485, y: 92, turn: 4 },
  { name: 'Veneto', x: 473, y: 176, turn: 62 },
  { name: 'Friuli-Venezia Giulia', short: 'Friuli', x: 519, y: 170, turn: -50 },
  { name: 'Emilia-Romagna', x: 722, y: 332, to: { x: 508, y: 332 } },
  { name: 'Toscana', x: 382, y: 564, turn: 14 },
  { name: 'Umbria', x: 545, y: 534, turn: 30 },
  { name: 'Marche', x: 656, y: 470 },
  { name: 'Abruzzo', x: 690, y: 533 },
  { name: 'Lazio', x: 578, y: 628, turn: 40 },
  { name: 'Campania', x: 718, y: 836, turn: 65 },
  { name: 'Puglia', x: 777, y: 692, turn: 22 },
  { name: 'Calabria', x: 844, y: 893 },
  { name: 'Sicilia', x: 510, y: 1011, turn: 18 },
  { name: 'Sardegna', x: 207, y: 823, turn: 71 },
];

/** The size of a region's name on the map; 0 when the map is too small for it. */
export function regionSize(scale: number): number {
  return scale < 0.44 ? 0 : Math.min(15, Math.max(8.6, 15.8 * scale)) / scale;
}

export interface ZoneName extends Spot {
  name: string;
  turn: number;
  size: number;
}

type Stand = [x: number, y: number, turn: number];
/** Where a zone's name can be placed, the best first. */
const STANDS: [name: string, ...stands: Stand[]][] = [
  ['Svizzera', [196, 104, 0], [150, 84, 0], [110, 60, 0], [0, 70, 0]],
  ['Francia', [40, 336, -80], [26, 160, -86], [-30, 250, -90], [-120, 300, 0], [-180, 216, 0]],
  ['Austria', [524, 60, 0], [570, 40, 0], [640, 40, 0], [760, 70, 0], [840, 80, 0]],
  ['Croazia', [836, 256, 0], [960, 340, 0], [1010, 340, 0], [1120, 340, 0]],
  ['Croazia', [846, 416, 30]],
  ['Monaco', [92, 470, 0], [50, 490, 0], [-20, 500, 0], [-100, 500, 0], [-180, 520, 0]],
];

/** A box for every letter: turned names are no boxes. */
function letters(text: string, [x, y, turn]: Stand, size: number): Box[] {
  const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)];
  return [...text].map((_, index) => {
    const far = (index - (text.length - 1) / 2) * size * 0.94;
    return boxOf({ x: x + cos * far + sin * size * 0.36, y: y + sin * far - cos * size * 0.36 }, size * 0.5);
  });
}

/**
 * The names of the zones at some scale, in a window that shows so much of the map across. A name that would touch that
 * of a city stands elsewhere, or not at all.
 */
export function zonesAt(scale: number, across: number, cities: Label[]): ZoneName[] {
  const size = Math.max(19, 9.2 / scale);
  const spare = spareOf(across);
  const taken: Box[] = [
    ...cities.map(({ box }) => box),
    ...CITIES.map((city) => boxOf(city, CITY)),
    ...ENDS.map((end) => boxOf(end, 8)),
  ];
  return STANDS.flatMap(([name, ...stands]) => {
    for (const stand of stands) {
      const boxes = letters(name, stand, size);
      const inside = boxes.every(({ left, right, top }) => left > -spare && right < WIDTH + spare && top > 0);
      if (!inside || boxes.some((box) => taken.some((other) => clash(box, other)))) continue;
      taken.push(...boxes);
      return [{ name, x: stand[0], y: stand[1], turn: stand[2], size }];
    }
    return [];
  });
}
