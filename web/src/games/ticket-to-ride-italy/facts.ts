import { inWords } from './cards';
import type { Track } from './layout';
import { listed, plural, type View } from './view';

/** The spaces of a track: "4 spaces, 2 of them with a wave". */
export function makeOf(track: Track): string {
  const spaces = plural(track.length, 'space');
  if (track.colour !== 'grey') return plural(track.length, `${track.colour} space`);
  return track.waves === track.length ? `${spaces}, all with a wave` : `${spaces}, ${track.waves} with a wave`;
}

/** The public status of a track: its owner, or who may still claim it. */
export function standingOf(track: Track, view: View, names: string[]): string {
  const who = (seat: number) => (seat === view.you ? 'you' : (names[seat] ?? ''));
  const owner = view.owners[track.name];
  if (owner !== undefined) return owner === view.you ? 'Yours' : `Claimed by ${names[owner]}`;
  if (view.step === 'over') return 'Nobody claimed it';
  if (view.closed.includes(track.name)) return 'Closed to everyone: a track beside it is taken';
  const may = view.players.filter((player) => !player.barred.includes(track.name) && player.trains >= track.length);
  if (may.length === view.players.length) return 'Unclaimed';
  if (!may.length) return 'Nobody has enough trains for it';
  const still = `Still open to ${listed(may.map((player) => who(player.seat)))}`;
  const own = view.you === undefined ? undefined : view.players[view.you];
  if (!own || may.includes(own)) return still;
  const why = own.barred.includes(track.name) ? 'a track beside it is yours' : `you have only ${plural(own.trains, 'train')}`;
  return `${still}, but not to you: ${why}`;
}

/** Why the player cannot claim a track that is open to them, with what they hold for it; `acting` while they choose what to do. */
export function hindranceOf(track: Track, view: View, acting: boolean): string {
  const own = view.you === undefined ? undefined : view.players[view.you];
  if (!view.hand || !own || track.name in view.owners || view.closed.includes(track.name)) return '';
  if (view.step === 'over' || own.barred.includes(track.name) || own.trains < track.length) return '';
  const ferry = track.colour === 'grey';
  const cards = ferry ? view.hand : { [track.colour]: view.hand[track.colour] ?? 0 };
  const words = inWords({ ...cards, locomotive: view.hand.locomotive ?? 0, ferry: ferry ? own.ferries : 0 });
  const none = ferry ? 'You hold no cards for it' : `You hold no ${track.colour} cards`;
  const held = words.length ? `You hold ${listed(words)}${acting ? ': too few' : ''}` : none;
  if (view.step === 'choose') return held;
  if (view.turn !== view.you) return `It is not your turn. ${held}`;
  return view.step === 'second' ? `You are drawing train cards. ${held}` : held;
}
