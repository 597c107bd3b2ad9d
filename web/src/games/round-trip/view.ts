/** A Round Trip position as the server shows it to one seat. */
export interface Trip {
  length: number;
  tickets: string[];
  cities: string[];
  extra: boolean;
}

export interface PlayerView {
  seat: number;
  tickets: number;
  backs: Record<string, number>;
  trips: Trip[];
  known?: string[];
}

export type Circle = 'black' | 'grey';

export interface Neighbour {
  seat: number;
  circle: Circle;
}

export type Side = 'left' | 'right';

export interface View {
  you?: number;
  turn: number;
  step: 'take' | 'act' | 'lay' | 'give' | 'over';
  round: number;
  turn_limit: number;
  extra: boolean;
  starter: number;
  selection: { cities: string[]; left: number };
  piles: { city: string; count: number }[];
  players: PlayerView[];
  hand?: string[];
  offer: { from: number; to: number; back: string; wanted: string; ticket?: string } | null;
  mixed?: { pile: string; tickets: string[]; others: number; holders: Record<string, number> }[];
  bottoms?: { pile: string; ticket: string; above: number }[];
  neighbours?: Partial<Record<Side, Neighbour>>;
  result: number[] | null;
}

/** A hand ticket with a key of its own, since two may be alike. */
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
  const known = player.known ?? [];
  const fan = known.map((ticket) => ({ pile: ticket.split('-')[0] ?? '', front: ticket as string | null }));
  for (const city of ring) {
    const shown = fan.filter((one) => one.pile === city).length;
    for (let left = (player.backs[city] ?? 0) - shown; left > 0; left--) fan.push({ pile: city, front: null });
  }
  return fan.sort((a, b) => ring.indexOf(a.pile) - ring.indexOf(b.pile));
}
