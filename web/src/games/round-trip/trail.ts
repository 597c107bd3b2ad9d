/**
 * How chosen tickets connect, for drawing. Whether a round trip may be laid is not decided
 * here: that is what `legal` and the server's refusal say.
 */
import type { LegalMove } from '../../kit/protocol';
import { endsOf } from './cities';

export interface Trail {
  /** The tickets in travel order. */
  tickets: string[];
  /** The cities passed; a closed trail names its first city once. */
  cities: string[];
  closed: boolean;
}

const other = (ticket: string, city: string): string | null => {
  const [a, b] = endsOf(ticket);
  return city === a ? b : city === b ? a : null;
};

function* walks(from: string, left: string[], cities: string[], tickets: string[]): Generator<Trail> {
  if (!left.length) {
    const end = cities.at(-1);
    const closed = tickets.length > 1 && end === cities[0];
    yield { tickets, cities: closed ? cities.slice(0, -1) : cities, closed };
    return;
  }
  for (const [index, ticket] of left.entries()) {
    const to = other(ticket, from);
    if (to === null) continue;
    yield* walks(to, left.toSpliced(index, 1), [...cities, to], [...tickets, ticket]);
  }
}

/** One way through all of them, a ring if there is one; null when they do not hang together. */
export function trailOf(chosen: string[]): Trail | null {
  if (!chosen.length) return null;
  const starts = [...new Set(chosen.flatMap(endsOf))];
  const twice = (trail: Trail) => new Set(trail.cities).size < trail.cities.length;
  let best: Trail | null = null;
  let bestWorth = -1;
  for (const start of starts)
    for (const trail of walks(start, chosen, [start], [])) {
      const worth = (twice(trail) ? 0 : 2) + (trail.closed ? 1 : 0);
      if (worth > bestWorth) [best, bestWorth] = [trail, worth];
      if (worth === 3) return best;
    }
  return best;
}

/** What is left of `all` once each of `some` is taken out; null when one of them is not there. */
function without(all: string[], some: string[]): string[] | null {
  const left = [...all];
  for (const one of some) {
    const at = left.indexOf(one);
    if (at < 0) return null;
    left.splice(at, 1);
  }
  return left;
}

const laid = (legal: LegalMove): string[] => (legal.move.do === 'lay' ? (legal.move.tickets as string[]) : []);

/** The legal round trip made of exactly these tickets. */
export const tripOf = (legal: LegalMove[], chosen: string[]): LegalMove | null =>
  legal.find((one) => laid(one).length === chosen.length && chosen.length > 0 && without(laid(one), chosen) !== null) ??
  null;

/** Tickets that, added to these, lead on to some legal round trip. */
export function leadingOn(legal: LegalMove[], chosen: string[]): Set<string> {
  const on = new Set<string>();
  for (const one of legal) {
    const tickets = laid(one);
    if (tickets.length) for (const ticket of without(tickets, chosen) ?? []) on.add(ticket);
  }
  return on;
}
