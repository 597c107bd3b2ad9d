import { placesOf, TICKETS, TRACKS, type Track } from './layout';
import type { View } from './view';

/** A ticket that a track brings closer to completion, and the number of trains it would still need. */
export interface Help {
  ticket: string;
  points: number;
  left: number;
}

/** The number of trains from each place to the nearest of some others; the player's own tracks cost nothing. */
function distances(from: string[], cost: ReadonlyMap<Track, number>): Map<string, number> {
  const far = new Map(from.map((place) => [place, 0]));
  for (let changed = true; changed; ) {
    changed = false;
    for (const [{ a, b }, trains] of cost)
      for (const [here, there] of [[a.name, b.name], [b.name, a.name]] as const) {
        const reached = (far.get(here) ?? Infinity) + trains;
        if (reached < (far.get(there) ?? Infinity)) {
          far.set(there, reached);
          changed = true;
        }
      }
  }
  return far;
}

/** The tickets in hand that would need fewer trains if this track were the player's, the most valuable first. */
export function helpsOf(track: Track, view: View): Help[] {
  const own = view.you === undefined ? undefined : view.players[view.you];
  if (!own || track.name in view.owners) return [];
  const shut = new Set([...view.closed, ...own.barred]);
  if (shut.has(track.name)) return [];
  const cost = new Map<Track, number>();
  for (const one of TRACKS) {
    const owner = view.owners[one.name];
    if (owner === own.seat) cost.set(one, 0);
    else if (owner === undefined && !shut.has(one.name)) cost.set(one, one.length);
  }
  const names = (end: string) => placesOf(end).map((place) => place.name);
  return (view.tickets ?? [])
    .filter((held) => !held.met)
    .flatMap(({ ticket, points }) => {
      const ends = TICKETS.get(ticket);
      if (!ends) return [];
      const [fromA, fromB] = [distances(names(ends.a), cost), distances(names(ends.b), cost)];
      const away = (from: Map<string, number>, place: string) => from.get(place) ?? Infinity;
      const before = Math.min(...names(ends.b).map((place) => away(fromA, place)));
      const [a, b] = [track.a.name, track.b.name];
      const left = Math.min(away(fromA, a) + away(fromB, b), away(fromA, b) + away(fromB, a));
      return left < before ? [{ ticket, points, left }] : [];
    })
    .sort((one, other) => other.points - one.points);
}
