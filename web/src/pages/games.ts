import { api } from '../kit/api';
import type { GameInfo } from '../kit/protocol';

let asked: Promise<GameInfo[]> | null = null;

/** The list of games, fetched once. */
export function games(): Promise<GameInfo[]> {
  asked ??= api.games().catch((error) => {
    asked = null;
    throw error;
  });
  return asked;
}

/** The default strength of a bot. */
export const DEFAULT_BOT = 'normal';
