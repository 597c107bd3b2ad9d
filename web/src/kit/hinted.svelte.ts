import type { Move } from './protocol';

/** The suggested move under the pointer; null if there is none. */
class Pointed {
  move = $state.raw<Move | null>(null);
}
export const pointed = new Pointed();

/**
 * For the `data-hinted` of anything on a board: whether it belongs to the move that is pointed at, by the names in it.
 * `hinted({ pile: 'Milano' })` is the pile of any move that names it; of several parts one is enough.
 */
export function hinted(...parts: Record<string, unknown>[]): true | undefined {
  const { move } = pointed;
  if (!move) return undefined;
  const has = ([field, name]: [string, unknown]) => {
    const named = move[field];
    return Array.isArray(named) ? named.includes(name) : named === name;
  };
  return parts.some((part) => Object.entries(part).every(has)) || undefined;
}
