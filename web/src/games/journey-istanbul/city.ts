import data from '../../../../src/grandtour/games/journey_istanbul/parts.json';

/** Istanbul drawn as on a poster: three shores, simplified and slightly stretched to make room for the five names. */
export const WIDE = 556;
export const HIGH = 508;

/** The old city between the Golden Horn and the Sea of Marmara. */
const oldCity =
  '-20,346 12,330 68,296 140,272 188,266 244,259 280,250 290,224 282,204 252,202 230,196 178,168 158,154 142,137 126,121 110,99 92,64 96,30 104,-10 -20,-10';
/** Galata and Beyoğlu, and the shore up the Bosphorus. */
const north =
  '150,-10 118,30 121,56 128,76 146,100 174,123 202,138 208,166 242,177 276,159 302,139 318,122 338,104 362,94 388,83 424,66 452,34 474,-10';
const asia =
  '566,-10 524,-10 507,54 468,88 432,116 402,139 382,160 360,188 363,230 374,266 389,290 406,313 406,342 412,368 442,364 456,377 452,402 474,424 512,440 540,470 566,480';

/** A shore drawn by hand has no corners. */
function smooth(text: string): string {
  const points = text.split(' ').map((pair) => pair.split(',').map(Number) as [number, number]);
  const middle = (a: [number, number], b: [number, number]) => `${(a[0] + b[0]) / 2} ${(a[1] + b[1]) / 2}`;
  let path = `M${points[0]!.join(' ')}`;
  for (let at = 1; at < points.length - 1; at++)
    path += `Q${points[at]!.join(' ')} ${at === points.length - 2 ? points[at + 1]!.join(' ') : middle(points[at]!, points[at + 1]!)}`;
  return `${path}Z`;
}

export const lands = [oldCity, north, asia].map(smooth);

export const spots: Record<string, { x: number; y: number }> = {
  Taksim: { x: 262, y: 84 },
  Fatih: { x: 84, y: 186 },
  Sultanahmet: { x: 232, y: 226 },
  Üsküdar: { x: 446, y: 172 },
  Kadıköy: { x: 480, y: 314 },
};

/** How far a white line swings aside in its middle. */
const bends: Record<string, number> = {
  'Kadıköy–Sultanahmet': -22,
  'Kadıköy–Üsküdar': 14,
  'Sultanahmet–Taksim': -14,
  'Fatih–Taksim': -24,
  'Sultanahmet–Fatih': -12,
  'Üsküdar–Taksim': 16,
};

export const lines = data.lines.map(({ between: [a, b] }) => ({ a: a!, b: b!, bend: bends[`${a}–${b}`] ?? 0 }));

export function pathOf({ a, b, bend }: (typeof lines)[number]): string {
  const [from, to] = [spots[a]!, spots[b]!];
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const x = (from.x + to.x) / 2 - (dy / length) * bend;
  const y = (from.y + to.y) / 2 + (dx / length) * bend;
  return `M${from.x} ${from.y}Q${x.toFixed(1)} ${y.toFixed(1)} ${to.x} ${to.y}`;
}
