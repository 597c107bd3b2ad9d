import type { Now } from '../../kit/protocol';
import type { View } from './view';

/** The end is stated without cheering. */
export function headline(now: Now<View>, names: string[], seat: number | null): string {
  const view = now.view!;
  const out = view.players.filter((player) => player.out).map((player) => player.seat);
  const list = (seats: number[]) => {
    const who = [...(seat !== null && seats.includes(seat) ? ['You'] : []), ...seats.filter((one) => one !== seat).map((one) => names[one] ?? '')];
    return who.length > 1 ? `${who.slice(0, -1).join(', ')} and ${who.at(-1)}` : (who[0] ?? '');
  };
  if (!out.length) return 'Nobody got out of Istanbul';
  const winners = view.ranked ? (view.result ?? []).flatMap((share, one) => (share ? [one] : [])) : [];
  if (!view.ranked && out.length === view.players.length) return 'Everybody got out of Istanbul';
  if (!winners.length) return `${list(out)} got out of Istanbul`;
  if (winners.length > 1) return `${list(winners)} share the win`;
  return winners[0] === seat ? 'You got out, with the most money left: you win' : `${list(winners)} wins`;
}
