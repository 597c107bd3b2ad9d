/** Plain HTTP: documents and opening tables. Every failure is a `Refused` with one sentence for a person. */
import type { GameInfo, Moments, Refusal, ReplayText, RulebookText, Scalar, SeatAsked, Table } from './protocol';

export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.reason);
  }
}

async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, init);
  } catch {
    throw new Refused({ code: 'away', rule: null, reason: 'The server cannot be reached just now.' });
  }
  if (answer.ok) return (await answer.json()) as T;
  const refusal = await answer.json().catch(() => null);
  throw new Refused(
    typeof refusal?.reason === 'string'
      ? refusal
      : { code: 'failed', rule: null, reason: `The server could not do that (it answered ${answer.status}).` },
  );
}

function send<T>(path: string, body: unknown): Promise<T> {
  return ask<T>(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

export interface NewTable {
  game: string;
  options: Record<string, Scalar>;
  seats: SeatAsked[];
  public: boolean;
  hints: boolean;
  patience?: number;
}

const TEXT = { method: 'POST', headers: { 'Content-Type': 'text/plain; charset=utf-8' } };
const asSeat = (seat: number | null) => (seat === null ? '' : `?seat=${seat}`);

export const api = {
  games: () => ask<GameInfo[]>('/api/games'),
  rulebook: (game: string) => ask<RulebookText>(`/api/games/${encodeURIComponent(game)}/rulebook`),
  tables: () => ask<Table[]>('/api/tables'),
  table: (id: string) => ask<Table>(`/api/tables/${encodeURIComponent(id)}`),
  open: (table: NewTable) => send<{ table: string; seat: number | null; secret: string | null }>('/api/tables', table),
  sit: (id: string, body: { seat?: number; name: string }) =>
    send<{ seat: number; secret: string }>(`/api/tables/${encodeURIComponent(id)}/sit`, body),
  replay: (id: string, seat: number | null) =>
    ask<ReplayText>(`/api/tables/${encodeURIComponent(id)}/replay${asSeat(seat)}`),
  moments: (id: string, seat: number) =>
    send<Moments>(`/api/tables/${encodeURIComponent(id)}/moments${asSeat(seat)}`, null),
  replayFile: (text: string, seat: number | null) =>
    ask<ReplayText>(`/api/replay${asSeat(seat)}`, { ...TEXT, body: text }),
  momentsOfFile: (text: string, seat: number) => ask<Moments>(`/api/moments${asSeat(seat)}`, { ...TEXT, body: text }),
  tourAddress: (id: string) => `/api/tables/${encodeURIComponent(id)}/tour`,
};
