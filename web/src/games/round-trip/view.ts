/** A Round Trip position as the server shows it to one seat, and helpers for it. */
import type { PlayerView } from '../../generated/round-trip';

export type * from '../../generated/round-trip';

/** A ticket in hand with a key of its own, since two can be equal. */
export interface Held {
  key: string;
  ticket: string;
}

export function withKeys(tickets: string[]): Held[] {
  const seen = new Map<string, number>();
  return tickets.map((ticket) => {
    const copy = (seen.get(ticket) ?? 0) + 1;
    seen.set(ticket, copy);
    return { ticket, key: `${ticket}#${copy}` };
  });
}

/** What every other seat's fan of tickets shows: the fronts this viewer knows, then backs. */
export function fanOf(player: PlayerView, ring: string[]): { pile: string; front: string | null }[] {
  const fan = player.known.map((ticket) => ({ pile: ticket.split('-')[0] ?? '', front: ticket as string | null }));
  for (const city of ring) {
    const shown = fan.filter((one) => one.pile === city).length;
    for (let left = (player.backs[city] ?? 0) - shown; left > 0; left--) fan.push({ pile: city, front: null });
  }
  return fan.sort((a, b) => ring.indexOf(a.pile) - ring.indexOf(b.pile));
}
