import { recall, remember } from './stored';

export type BotSpeed = 'relaxed' | 'normal' | 'instant';
export type AnimationSpeed = 'slow' | 'normal' | 'fast' | 'off';

/** Milliseconds that a bot's move stays on the page before the next thing happens. */
const BOT_PAUSES: Record<BotSpeed, number> = { relaxed: 1500, normal: 0, instant: 0 };
const PACES: Record<AnimationSpeed, number> = { slow: 1.8, normal: 1, fast: 0.5, off: 0 };

const lessMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** What a player has chosen for this browser. */
class Settings {
  #sounds = $state(recall('sounds', !lessMotion()));
  #bots = $state(recall<BotSpeed>('bots', 'normal'));
  #animations = $state(recall<AnimationSpeed>('animations', 'normal'));
  #patterns = $state(recall('patterns', false));

  constructor() {
    this.#markPatterns();
  }

  get sounds() {
    return this.#sounds;
  }
  set sounds(on: boolean) {
    this.#sounds = on;
    remember('sounds', on);
  }

  get bots() {
    return this.#bots;
  }
  set bots(speed: BotSpeed) {
    this.#bots = speed;
    remember('bots', speed);
  }
  get botPause() {
    return BOT_PAUSES[this.#bots] ?? 0;
  }

  get animations() {
    return this.#animations;
  }
  set animations(speed: AnimationSpeed) {
    this.#animations = speed;
    remember('animations', speed);
  }
  /** What every duration is multiplied by; 0 for no animation. */
  get pace() {
    return PACES[this.#animations] ?? 1;
  }

  get patterns() {
    return this.#patterns;
  }
  set patterns(on: boolean) {
    this.#patterns = on;
    remember('patterns', on);
    this.#markPatterns();
  }

  /** Style sheets ask the document. */
  #markPatterns() {
    document.documentElement.toggleAttribute('data-patterns', this.#patterns);
  }
}
export const settings = new Settings();
