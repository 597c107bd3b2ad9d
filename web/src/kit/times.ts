/** The players' clocks in words, and what a table can be opened with. */
import type { TimeControl, Times } from './protocol';

/** Minutes for the match, seconds added after each turn, and hours for each move. */
export const MINUTES = [3, 5, 10, 15, 20, 30, 45, 60, 90] as const;
export const ADDED = [0, 5, 10, 20, 30, 60] as const;
export const HOURS = [1, 4, 12, 24, 48, 72, 168] as const;

/** With so many seconds left, or less, a player is warned. */
export const LOW = 30;

/** The players' clocks as they were told, with when each runs out by this page's own clock. */
export interface RunningTimes extends Times {
  ends: number[];
}

export const timed = (times: Times): RunningTimes => ({
  ...times,
  ends: times.left.map((seconds) => performance.now() + seconds * 1000),
});

const plural = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;

/** "12 hours", "2 days" */
export const hours = (count: number): string => (count < 24 ? plural(count, 'hour') : plural(count / 24, 'day'));

function span(seconds: number): string {
  if (seconds < 60) return plural(Math.round(seconds), 'second');
  return seconds < 3600 ? plural(Math.round(seconds / 60), 'minute') : hours(Math.round(seconds / 3600));
}

/** "10 minutes each, 5 seconds added after each turn" */
export function control(time: TimeControl): string {
  if (time.kind === 'move') return `${span(time.seconds)} for each move`;
  return `${span(time.seconds)} each${time.added ? `, ${plural(time.added, 'second')} added after each turn` : ''}`;
}

/** "10 min + 5 s", "2 days a move" */
export function shortControl(time: TimeControl): string {
  if (time.kind === 'move') return `${span(time.seconds)} a move`;
  return `${Math.round(time.seconds / 60)} min${time.added ? ` + ${time.added} s` : ''}`;
}

/** "9:05", "1:20:00", "2 d 3 h" */
export function written(seconds: number): string {
  const left = Math.ceil(seconds);
  const [days, rest] = [Math.floor(left / 86_400), Math.floor((left % 86_400) / 3600)];
  if (days) return `${days} d ${rest} h`;
  const two = (number: number) => String(number).padStart(2, '0');
  const minutes = Math.floor((left % 3600) / 60);
  return rest ? `${rest}:${two(minutes)}:${two(left % 60)}` : `${minutes}:${two(left % 60)}`;
}

/** The same for screen readers. */
export function spoken(seconds: number): string {
  const left = Math.ceil(seconds);
  if (left < 60) return plural(left, 'second');
  if (left < 3600) return `${plural(Math.floor(left / 60), 'minute')}${left % 60 ? ` ${plural(left % 60, 'second')}` : ''}`;
  if (left < 86_400) return `${plural(Math.floor(left / 3600), 'hour')} ${plural(Math.floor((left % 3600) / 60), 'minute')}`;
  return `${plural(Math.floor(left / 86_400), 'day')} ${plural(Math.floor((left % 86_400) / 3600), 'hour')}`;
}
