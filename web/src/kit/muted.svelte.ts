/** People whose chat this browser does not show. They do not learn of it. */
import { SvelteSet } from 'svelte/reactivity';
import { recall, remember } from './stored';

const MAX = 200;
const names = new SvelteSet<string>(recall<string[]>('muted', []));
const keyOf = (name: string) => name.trim().toLowerCase();

export const muted = {
  has: (name: string): boolean => names.has(keyOf(name)),
  set(name: string, on: boolean): void {
    if (on) names.add(keyOf(name));
    else names.delete(keyOf(name));
    remember('muted', [...names].slice(-MAX));
  },
};
