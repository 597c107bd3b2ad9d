import { tick } from 'svelte';
import Icon from '../../kit/Icon.svelte';
import { calm, pause, SWIFT, travel } from '../../kit/motion.svelte';
import type { GameEvent } from '../../kit/protocol';
import Foot from './Foot.svelte';
import { SOUVENIRS } from './Track.svelte';

/** How long a stop is shown before the walk continues. */
const STOP_DURATION = 900;

export interface Walk {
  map: string;
  score: number;
  souvenirs: number;
  start: string | null;
  stops: string[];
  meant: { number: number; space: string }[];
}

/** Animates the end of a journey, stop by stop: the map, the points, the souvenirs. */
export class Reveal {
  walk = $state.raw<Walk | null>(null);
  rising = $state.raw<{ space: string; points: number } | null>(null);

  async begin(event: GameEvent, start: string | null, score: number, souvenirs: number): Promise<void> {
    this.walk = { map: event.map as string, score, souvenirs, start, stops: [], meant: [] };
    await pause(STOP_DURATION);
  }

  async show(event: GameEvent, colour: string): Promise<void> {
    switch (event.event) {
      case 'journey':
      case 'planning':
        return pause(SWIFT);
      case 'stop':
        return this.#stop(event, colour);
      case 'souvenir':
        return this.#collect(event.souvenirs as number);
      case 'day':
        return pause(STOP_DURATION);
    }
  }

  end(): void {
    this.walk = null;
    this.rising = null;
  }

  async #stop(event: GameEvent, colour: string): Promise<void> {
    const walk = this.walk;
    if (!walk || calm()) return;
    const [number, space, intended] = [event.number as number, event.space as string, event.meant as string];
    const before = walk.stops.at(-1) ?? walk.start ?? space;
    await travel({ from: `space:${before}`, to: `space:${space}`, show: Foot, props: { number, colour } });
    this.walk = {
      ...walk,
      score: event.score as number,
      stops: [...walk.stops, space],
      meant: intended === space ? walk.meant : [...walk.meant, { number, space: intended }],
    };
    this.rising = { space, points: event.points as number };
    await tick();
    await pause(STOP_DURATION);
    this.rising = null;
  }

  /** A souvenir goes from where it was earned to its place on the track. */
  async #collect(number: number): Promise<void> {
    const from = this.walk?.stops.at(-1);
    const of = SOUVENIRS[number - 1];
    if (from) await travel({ from: `space:${from}`, to: `souvenir:${number}`, show: Icon, props: { of, size: 44 } });
    if (this.walk) this.walk = { ...this.walk, souvenirs: number };
    await pause(SWIFT);
  }
}
