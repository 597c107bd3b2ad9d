import { HEIGHT, WIDTH, type Spot } from './layout';

const MAX_SCALE = 3.2;
/** Smaller than this not every city can be named: a window too small for the whole map shows a part of it at first. */
export const READABLE = 0.3;

/** Which part of the map is shown: a place of the map is at `place * k + (x, y)` in the window. */
export class Camera {
  width = $state(0);
  height = $state(0);
  /** How much larger than at first: 1 shows all of it, or as much as can be read. */
  zoom = $state(1);
  /** The place of the map in the middle of the window. */
  middle = $state<Spot>({ x: WIDTH / 2, y: HEIGHT / 2 });

  readonly whole = $derived(Math.min(this.width / WIDTH, this.height / HEIGHT));
  readonly fit = $derived(Math.max(READABLE, this.whole));
  readonly k = $derived(this.fit * this.zoom);
  readonly x = $derived(this.width / 2 - this.middle.x * this.k);
  readonly y = $derived(this.height / 2 - this.middle.y * this.k);
  readonly most = $derived(Math.max(1, MAX_SCALE / this.fit));
  /** Shows the whole map, even if it is too small to read. */
  readonly least = $derived(this.whole > 0 ? this.whole / this.fit : 1);

  /** The place of the map at a point of the window. */
  at(point: Spot): Spot {
    return { x: (point.x - this.x) / this.k, y: (point.y - this.y) / this.k };
  }

  /** Shows the map larger or smaller around a point of the window, which stays where it is. */
  zoomBy(factor: number, point: Spot = { x: this.width / 2, y: this.height / 2 }): void {
    const place = this.at(point);
    this.zoom = this.held(this.zoom * factor);
    this.look({
      x: place.x - (point.x - this.width / 2) / this.k,
      y: place.y - (point.y - this.height / 2) / this.k,
    });
  }

  pan(dx: number, dy: number): void {
    this.look({ x: this.middle.x - dx / this.k, y: this.middle.y - dy / this.k });
  }

  /** The allowed zoom that is closest to this one. */
  held(zoom: number): number {
    return Math.min(this.most, Math.max(this.least, zoom));
  }

  /** Brings places into the window when they are not. */
  reveal(spots: Spot[]): void {
    const [aside, above] = [Math.min(40, this.width / 6), Math.min(40, this.height / 6)];
    const inside = spots.every((spot) => {
      const [x, y] = [spot.x * this.k + this.x, spot.y * this.k + this.y];
      return x > aside && y > above && x < this.width - aside && y < this.height - above;
    });
    if (inside || !spots.length || !this.whole) return;
    const [xs, ys] = [spots.map(({ x }) => x), spots.map(({ y }) => y)];
    const [w, h] = [Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)];
    const room = Math.min((this.width - 2 * aside) / Math.max(w, 1), (this.height - 2 * above) / Math.max(h, 1));
    if (room < this.k) this.zoom = this.held(room / this.fit);
    this.look({ x: (Math.max(...xs) + Math.min(...xs)) / 2, y: (Math.max(...ys) + Math.min(...ys)) / 2 });
  }

  /** The window never leaves the map; where the map is smaller than the window, it stands in the middle. */
  look(spot: Spot): void {
    const hold = (value: number, whole: number, window: number) => {
      const half = window / this.k / 2;
      return half * 2 >= whole ? whole / 2 : Math.min(whole - half, Math.max(half, value));
    };
    this.middle = { x: hold(spot.x, WIDTH, this.width), y: hold(spot.y, HEIGHT, this.height) };
  }
}
