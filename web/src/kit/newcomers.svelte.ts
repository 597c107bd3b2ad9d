import { SvelteSet } from 'svelte/reactivity';
import { recall, remember } from './stored';

/** Which games this browser's player knows: until then they are offered in short. */
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
