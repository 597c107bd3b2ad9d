/** A few small sounds, made here: no files, nothing to load. */
import { settings } from './settings.svelte';

export type Sound = 'turn' | 'card' | 'train' | 'end' | 'low';

interface Note {
  /** Hertz, seconds after the start, seconds long, loudness from 0 to 1. */
  pitch: number;
  at: number;
  long: number;
  loud: number;
  wave: OscillatorType;
}

const note = (pitch: number, at: number, long: number, loud: number, wave: OscillatorType = 'sine'): Note => ({
  pitch,
  at,
  long,
  loud,
  wave,
});

const SOUNDS: Record<Sound, Note[]> = {
  turn: [note(659, 0, 0.18, 0.22), note(880, 0.12, 0.3, 0.22)],
  low: [note(440, 0, 0.12, 0.16), note(440, 0.2, 0.12, 0.16)],
  card: [note(1250, 0, 0.04, 0.07, 'triangle')],
  // A whistle of two tones.
  train: [note(523, 0, 0.16, 0.1, 'triangle'), note(659, 0, 0.16, 0.1, 'triangle'), note(523, 0.22, 0.3, 0.1, 'triangle'), note(659, 0.22, 0.3, 0.1, 'triangle')],
  end: [note(523, 0, 0.2, 0.18), note(659, 0.16, 0.2, 0.18), note(784, 0.32, 0.2, 0.18), note(1047, 0.48, 0.5, 0.2)],
};
const BUZZES: Partial<Record<Sound, number[]>> = { turn: [40], end: [40, 60, 40], low: [30, 50, 30] };

let context: AudioContext | null = null;

/** The sounds that are also played while another page is in front. */
const CALLS: Sound[] = ['turn', 'end'];

/** Milliseconds in which the same sound is not heard again: several moves may come at once. */
const ECHO = 80;
const playedAt: Partial<Record<Sound, number>> = {};

/** A browser allows sound only after the first touch or key: until then this does nothing. */
export function play(sound: Sound): void {
  if (!settings.sounds || (document.hidden && !CALLS.includes(sound)) || !navigator.userActivation?.hasBeenActive) return;
  const now = performance.now();
  if (now - (playedAt[sound] ?? -Infinity) < ECHO) return;
  playedAt[sound] = now;
  const buzz = BUZZES[sound];
  if (buzz) navigator.vibrate?.(buzz);
  try {
    context ??= new AudioContext();
    void context.resume();
    for (const one of SOUNDS[sound]) sing(context, one);
  } catch {
    // On a device without sound, nothing is played.
  }
}

function sing(to: AudioContext, { pitch, at, long, loud, wave }: Note): void {
  const start = to.currentTime + at;
  const tone = new OscillatorNode(to, { type: wave, frequency: pitch });
  const volume = new GainNode(to, { gain: 0 });
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(loud, start + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + long);
  tone.connect(volume).connect(to.destination);
  tone.start(start);
  tone.stop(start + long + 0.02);
}
