/** The viewer of a replay: a seat, a spectator (null), or a spectator who sees all hands. */
export type Viewer = number | 'all' | null;

/** All seats in their order around the table, from this one on. */
export const seatsFrom = (seat: number, count: number): number[] =>
  Array.from({ length: count }, (_, step) => (seat + step) % count);

/** A moment of a replay as its address tells it: `?seat=1&step=20`; a spectator is `seat=none`. */
export interface MomentInAddress {
  /** Undefined where the address does not say. */
  viewer: Viewer | undefined;
  step: number;
}

export function readMoment(search: string): MomentInAddress {
  const told = new URLSearchParams(search);
  const seat = told.get('seat') ?? '';
  const step = told.get('step') ?? '';
  return {
    viewer: seat === 'none' ? null : seat === 'all' ? 'all' : /^\d{1,2}$/.test(seat) ? Number(seat) : undefined,
    step: /^\d{1,6}$/.test(step) ? Number(step) : 0,
  };
}

export const writeMoment = (viewer: Viewer, step: number): string => `?seat=${viewer ?? 'none'}&step=${step}`;
