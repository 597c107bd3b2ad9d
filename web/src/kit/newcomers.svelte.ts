import { SvelteSet } from 'svelte/reactivity';
import { recall, remember } from './stored';

/** The games that this browser's player knows. For others, a short summary is offered. */
class Newcomers {
  #known = new SvelteSet<string>();

  new(game: string): boolean {
    return !this.#known.has(game) && !recall(`known.${game}`, false);
  }

  know(game: string): void {
    remember(`known.${game}`, true);
    this.#known.add(game);
  }
}
export const newcomers = new Newcomers();
