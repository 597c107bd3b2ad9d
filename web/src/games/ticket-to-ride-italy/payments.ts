import type { LegalMove, Move } from '../../kit/protocol';
import { COLOURS } from './cards';
import type { Track } from './layout';
import type { Counts } from './view';

/** One legal way to pay for a route. */
export interface Payment {
  move: Move;
  pay: Counts;
  colour: string | null;
  key: string;
}

function payOf(move: Move, track: Track): Counts {
  if (move.do === 'sail') return move.pay as Counts;
  const locomotives = move.locomotives as number;
  return { [track.colour]: track.length - locomotives, locomotive: locomotives };
}

/** The tracks that some legal move claims. */
export const claimable = (legal: LegalMove[]): Set<string> =>
  new Set(legal.flatMap(({ move }) => (move.do === 'claim' || move.do === 'sail' ? [move.route as string] : [])));

/** Of these, the tracks that cannot be claimed without a locomotive. */
export function dearly(legal: LegalMove[]): Set<string> {
  const found = claimable(legal);
  for (const { move } of legal)
    if (move.locomotives === 0 || (move.do === 'sail' && !(move.pay as Counts).locomotive)) found.delete(move.route as string);
  return found;
}

/** All legal payments for a track, the best first: few locomotives, then few ferry cards, then the colour held most. */
export function paymentsFor(legal: LegalMove[], track: Track, hand: Counts): Payment[] {
  const spare = ({ pay, colour }: Payment) => (colour ? (hand[colour] ?? 0) - (pay[colour] ?? 0) : -1);
  return legal
    .filter(({ move }) => move.route === track.name)
    .map(({ move }) => {
      const pay = payOf(move, track);
      return { move, pay, colour: COLOURS.find((colour) => pay[colour]) ?? null, key: JSON.stringify(move) };
    })
    .sort(
      (a, b) =>
        (a.pay.locomotive ?? 0) - (b.pay.locomotive ?? 0) ||
        (a.pay.ferry ?? 0) - (b.pay.ferry ?? 0) ||
        spare(b) - spare(a),
    );
}

/** The payments without superfluous cards: there are others, for example with an unnecessary ferry card. */
export function sensible(ways: Payment[]): Payment[] {
  const costs = (one: Payment, other: Payment) =>
    Object.entries(other.pay).every(([card, count]) => count <= (one.pay[card] ?? 0));
  return ways.filter((one) => !ways.some((other) => other !== one && costs(one, other)));
}

/** The simplest way to pay for a track, to ask the server why it is refused. */
export function plainest(track: Track, hand: Counts): Move {
  if (track.colour !== 'grey') return { do: 'claim', route: track.name, locomotives: 0 };
  const most = COLOURS.reduce((best, colour) => ((hand[colour] ?? 0) > (hand[best] ?? 0) ? colour : best));
  const dry = track.length - track.waves;
  return { do: 'sail', route: track.name, pay: { ...(dry ? { [most]: dry } : {}), locomotive: track.waves } };
}
