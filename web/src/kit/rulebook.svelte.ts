import { api } from './api';
import type { RulebookText } from './protocol';

const fetched = new Map<string, Promise<RulebookText>>();

/** A game's rulebook, fetched once. */
export function rulebookOf(game: string): Promise<RulebookText> {
  let text = fetched.get(game);
  if (!text) {
    text = api.rulebook(game);
    text.catch(() => fetched.delete(game));
    fetched.set(game, text);
  }
  return text;
}

let game = $state<string | null>(null);
let open = $state(false);
let paragraph = $state<string | null>(null);
let turn = $state(0);

/** The rulebook beside the table. */
export const rulebook = {
  /** The game whose table is on the page; set by the page that shows it. */
  get game() {
    return game;
  },
  set game(name: string | null) {
    game = name;
    open = false;
  },
  get open() {
    return open;
  },
  /** The paragraph to open at, and a number that grows each time it is asked for. */
  get place() {
    return { paragraph, turn };
  },
  show(at: string | null = null) {
    paragraph = at;
    turn++;
    open = true;
  },
  close() {
    open = false;
  },
};
