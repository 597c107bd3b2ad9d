import { api } from '../kit/api';
import { hasBoard } from '../kit/boards';
import type { GameInfo } from '../kit/protocol';

let asked: Promise<GameInfo[]> | null = null;

/** The programme, fetched once. A game without a board cannot be played on a page. */
export function games(): Promise<GameInfo[]> {
  asked ??= api
    .games()
    .then((found) => found.map((game) => ({ ...game, playable: game.playable && hasBoard(game.name) })))
    .catch((error) => {
      asked = null;
      throw error;
    });
  return asked;
}

/** The bot that plays when nobody chose one: the most sensible the game has. */
export const usualBot = (game: GameInfo | undefined): string =>
  (game?.bots.find((bot) => bot.name === 'greedy') ?? game?.bots.at(-1))?.name ?? 'greedy';
