import type { Seat, Table } from './protocol';

/** How long a table may wait for someone who is away before a bot moves, in seconds; 0 is for ever. */
export const PATIENCES = [0, 60, 120, 300, 600] as const;
export const USUAL_PATIENCE = 120;

const LIST = new Intl.ListFormat('en');

/** "2 minutes", or seconds on a server with short waits. */
export function duration(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.round(seconds / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** The table as it was sent, with the time on this browser's clock at which each person left. */
export function dated(table: Table): Table {
  const since = (one: Seat) => (typeof one.away === 'number' ? Date.now() - one.away * 1000 : null);
  return { ...table, seats: table.seats.map((one) => ({ ...one, since: since(one) })) };
}

export const isAway = (one: Seat): boolean => one.kind === 'person' && !one.here;

/** "away since 14:32", or "away" when nobody knows since when. */
export function absence(one: Seat): string {
  if (typeof one.since !== 'number') return 'away';
  return `away since ${new Date(one.since).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })}`;
}

/** "Ada has been away since 14:32" */
export const absenceOf = (one: Seat): string =>
  `${one.name} ${typeof one.since === 'number' ? 'has been' : 'is'} ${absence(one)}`;

/** What players read while they wait for people who are away, if anything. */
export function waitingNote(table: Table, waiting: number[]): string {
  const away = table.seats.filter((one) => waiting.includes(one.seat) && isAway(one) && !one.bot);
  if (table.state !== 'playing' || !away.length) return '';
  const told =
    away.length === 1 ? absenceOf(away[0]!) : `${LIST.format(away.map((one) => one.name))} are away`;
  if (table.time) return `${told}.`;
  return table.patience ? `${told}. After ${duration(table.patience)} a bot makes the move.` : `${told}.`;
}
