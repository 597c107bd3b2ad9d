/** Plain HTTP: documents and opening tables. Every failure is a `Refused` with one sentence for a person. */
import type {
  Companion,
  DailyDeal,
  DeviceLink,
  Curve,
  DrawnDice,
  Forgotten,
  GameInfo,
  Guide,
  ListedTable,
  MatchReport,
  Me,
  Moments,
  MyGames,
  NewPassport,
  NoticeSettings,
  OpenedBranch,
  OpenedTable,
  Picture,
  Place,
  Profile,
  Refusal,
  ReplayNote,
  ReplayText,
  RulebookText,
  Table,
  WantedBranch,
  WantedPlace,
  WantedTable,
} from './protocol';
import { passport } from './passport.svelte';
import type { Subscription } from './push';
import type { Viewer } from './viewer';
import { requests } from './waiting.svelte';

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
    throw new Refused({ code: 'away', rule: null, reason: 'The server cannot be reached at the moment.' });
  }
  if (answer.ok) return (await answer.json()) as T;
  const refusal = await answer.json().catch(() => null);
  if (refusal?.code === 'wrong-passport') passport.drop();
  throw new Refused(
    typeof refusal?.reason === 'string'
      ? refusal
      : { code: 'failed', rule: null, reason: `The server could not do that (it answered ${answer.status}).` },
  );
}

function send<T>(path: string, body: unknown): Promise<T> {
  const json = { 'Content-Type': 'application/json' };
  return requests.for(ask<T>(path, { method: 'POST', headers: json, body: JSON.stringify(body) }));
}

const TEXT = { method: 'POST', headers: { 'Content-Type': 'text/plain; charset=utf-8' } };
const asSeat = (seat: Viewer) => (seat === null ? '' : `?seat=${seat}`);

export const api = {
  games: () => ask<GameInfo[]>('/api/games'),
  rulebook: (game: string) => ask<RulebookText>(`/api/games/${encodeURIComponent(game)}/rulebook`),
  guide: (game: string) => ask<Guide>(`/api/games/${encodeURIComponent(game)}/guide`),
  tables: () => ask<ListedTable[]>('/api/tables'),
  table: (id: string) => ask<Table>(`/api/tables/${encodeURIComponent(id)}`),
  open: (table: WantedTable) => send<OpenedTable>('/api/tables', passport.with(table)),
  quick: (game: string, name: string) =>
    send<OpenedTable>(`/api/games/${encodeURIComponent(game)}/quick`, passport.with({ name })),
  sit: (id: string, body: WantedPlace) =>
    send<Place>(`/api/tables/${encodeURIComponent(id)}/sit`, passport.with(body)),
  branch: (id: string, wanted: WantedBranch) =>
    send<OpenedBranch>(`/api/tables/${encodeURIComponent(id)}/branches`, passport.with(wanted)),
  replay: (id: string, seat: Viewer) =>
    ask<ReplayText>(`/api/tables/${encodeURIComponent(id)}/replay${asSeat(seat)}`),
  moments: (id: string, seat: number) =>
    send<Moments>(`/api/tables/${encodeURIComponent(id)}/moments${asSeat(seat)}`, null),
  curve: (id: string) => ask<Curve>(`/api/tables/${encodeURIComponent(id)}/curve`),
  workOutCurve: (id: string) => send<Curve>(`/api/tables/${encodeURIComponent(id)}/curve`, null),
  replayFile: (text: string, seat: Viewer) =>
    ask<ReplayText>(`/api/replay${asSeat(seat)}`, { ...TEXT, body: text }),
  momentsOfFile: (text: string, seat: number) => ask<Moments>(`/api/moments${asSeat(seat)}`, { ...TEXT, body: text }),
  dice: (id: string) => ask<DrawnDice>(`/api/tables/${encodeURIComponent(id)}/dice`),
  diceOfFile: (text: string) => ask<DrawnDice>('/api/dice', { ...TEXT, body: text }),
  makePassport: (wanted: { name: string; picture: Picture; device: string }) =>
    send<NewPassport>('/api/passports', wanted),
  me: (passport: string) => send<Me>('/api/passport', { passport }),
  changePassport: (passport: string, changed: { name?: string; picture?: Picture; public?: boolean }) =>
    send<Me>('/api/passport/change', { passport, ...changed }),
  deviceLink: (passport: string) => send<DeviceLink>('/api/passport/link', { passport }),
  useLink: (code: string, device: string) => send<NewPassport>('/api/passport/join', { code, device }),
  signOff: (passport: string, device: string) => send<Me>('/api/passport/sign-off', { passport, device }),
  forgetMe: (passport: string) => send<Forgotten>('/api/passport/forget', { passport }),
  companions: (passport: string) => send<Companion[]>('/api/passport/companions', { passport }),
  invite: (id: string, passport: string, to: string) =>
    send<{ name: string }>(`/api/tables/${encodeURIComponent(id)}/invite`, { passport, to }),
  report: (id: string, passport: string) =>
    send<MatchReport>(`/api/tables/${encodeURIComponent(id)}/report`, { passport }),
  daily: (day: string) => send<DailyDeal[]>('/api/daily', passport.with({ day })),
  playDaily: (game: string) => send<OpenedTable>(`/api/games/${encodeURIComponent(game)}/daily`, passport.with({})),
  myProfile: (passport: string) => send<Profile>('/api/passport/profile', { passport }),
  profile: (id: string) => ask<Profile>(`/api/people/${encodeURIComponent(id)}`),
  notes: (id: string) => ask<ReplayNote[]>(`/api/tables/${encodeURIComponent(id)}/notes`),
  writeNote: (id: string, passport: string, step: number, text: string) =>
    send<ReplayNote[]>(`/api/tables/${encodeURIComponent(id)}/notes`, { passport, step, text }),
  notices: (passport: string, changes: { on?: boolean; webhook?: string; push?: Subscription | null } = {}) =>
    send<NoticeSettings>('/api/passport/notices', { passport, ...changes }),
  myGames: (passport: string) => send<MyGames>('/api/passport/games', { passport }),
  tourAddress: (id: string) => `/api/tables/${encodeURIComponent(id)}/tour`,
};
