import { inWords } from './cards';
import type { Track } from './layout';
import { listed, plural, type View } from './view';

/** What a track is made of: "4 spaces, 2 of them with a wave". */
export function makeOf(track: Track): string {
  const spaces = plural(track.length, 'space');
  if (track.colour !== 'grey') return `${spaces} in ${track.colour}`;
  return track.waves === track.length ? `${spaces}, all with a wave` : `${spaces}, ${track.waves} with a wave`;
}

/** How things stand with a track, as far as everyone can see it: whose it is, or who may still have it. */
export function standingOf(track: Track, view: View, names: string[]): string {
  const who = (seat: number) => (seat === view.you ? 'you' : (names[seat] ?? ''));
  const owner = view.owners[track.name];
  if (owner !== undefined) return owner === view.you ? 'Yours' : `${names[owner]} has it`;
  if (view.closed.includes(track.name)) return 'Closed to everyone: a track beside it is taken';
  const may = view.players.filter((player) => !player.barred.includes(track.name) && player.trains >= track.length);
  if (may.length === view.players.length) return 'Free for everyone';
  if (!may.length) return 'Nobody has trains enough for it';
  const others = may.map((player) => who(player.seat));
  const you = view.you !== undefined && !may.some((player) => player.seat === view.you);
  return `Still open to ${listed(others)}${you ? ', not to you' : ''}`;
}

/** What the player has for it. */
export function holdingOf(track: Track, view: View): string {
  if (!view.hand || view.you === undefined) return '';
  const own = view.players[view.you]!;
  const ferry = track.colour === 'grey';
  const held = ferry ? view.hand : { [track.colour]: view.hand[track.colour] ?? 0 };
  const words = inWords({ ...held, locomotive: view.hand.locomotive ?? 0, ferry: ferry ? own.ferries : 0 });
  const none = ferry ? 'You hold nothing for it' : `You hold no ${track.colour} cards`;
  return words.length ? `You hold ${listed(words)}` : none;
}
