/**
 * Boards are found by looking in `src/games`: a new game is a new folder, nothing else.
 * `Board.svelte` draws a position, `Seat.svelte` what the players' strip says of one seat,
 * `Poster.svelte` is the lobby's picture.
 */
import type { Component } from 'svelte';
import type { GameEvent, Move, Now, Refusal } from './protocol';

export interface BoardProps<View = unknown> {
  now: Now<View>;
  names: string[];
  /** The viewer's seat; null for an onlooker. */
  seat: number | null;
  /** A replay, or an onlooker's page: nothing can be played. */
  readonly: boolean;
  /** Sends a move; null when it was played, else why not. */
  act: (move: Move) => Promise<Refusal | null>;
  /** The host's right not to wait until everyone is ready; left out for everyone else. */
  hurry?: () => Promise<Refusal | null>;
}

/** What a mounted board offers: shows what happened before the new position is drawn. */
export interface BoardExports {
  animate?: (event: GameEvent) => Promise<void>;
}

export interface SeatProps<View = unknown> {
  view: View;
  seat: number;
  names: string[];
  /** The narrow strip on a phone. */
  narrow: boolean;
}

/** A key and what it does, for the list under "?". */
export interface Shortcut {
  keys: string;
  does: string;
}

interface BoardModule {
  default: Component<BoardProps<never>, BoardExports>;
  /** Words the log prints in a colour: `{ Milano: 'var(--milano)' }`. */
  colours?: Record<string, string>;
  shortcuts?: Shortcut[];
  /** The game's own words above the final score. */
  headline?: Headline<never>;
  /** Its subject is no matter for tickets that rain. */
  sober?: boolean;
}

export type Headline<View = unknown> = (now: Now<View>, names: string[], seat: number | null) => string;

const boards = import.meta.glob<BoardModule>('../games/*/Board.svelte');
const seatLines = import.meta.glob<{ default: Component<SeatProps<never>> }>('../games/*/Seat.svelte');
const posters = import.meta.glob<{ default: Component }>('../games/*/Poster.svelte', { eager: true });

export interface GameParts {
  Board: Component<BoardProps, BoardExports>;
  SeatLine: Component<SeatProps> | null;
  colours: Record<string, string>;
  shortcuts: Shortcut[];
  headline: Headline | null;
  sober: boolean;
}

export const boardCount = Object.keys(boards).length;
export const hasBoard = (game: string): boolean => `../games/${game}/Board.svelte` in boards;

/** Everything the page needs to show a game; null when there is no board for it. */
export async function partsOf(game: string): Promise<GameParts | null> {
  const board = await boards[`../games/${game}/Board.svelte`]?.();
  if (!board) return null;
  const seatLine = await seatLines[`../games/${game}/Seat.svelte`]?.();
  return {
    Board: board.default as Component<BoardProps, BoardExports>,
    SeatLine: (seatLine?.default as Component<SeatProps> | undefined) ?? null,
    colours: board.colours ?? {},
    shortcuts: board.shortcuts ?? [],
    headline: (board.headline as Headline | undefined) ?? null,
    sober: board.sober ?? false,
  };
}

export const posterOf = (game: string): Component | null => posters[`../games/${game}/Poster.svelte`]?.default ?? null;
