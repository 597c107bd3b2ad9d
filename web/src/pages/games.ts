import { api } from '../kit/api';
import type { GameInfo } from '../kit/protocol';

let asked: Promise<GameInfo[]> | null = null;

/** The programme, fetched once. */
export function games(): Promise<GameInfo[]> {
  asked ??= api.games().catch((error) => {
    asked = null;
    throw error;
  });
  return asked;
}

/** The bot that plays when nobody chose one: the most sensible the game has. */
export const usualBot = (game: GameInfo | undefined): string =>
  (game?.bots.find((bot) => bot.name === 'normal') ?? game?.bots.at(-1))?.name ?? 'normal';
