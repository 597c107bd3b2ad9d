/**
 * Boards are found by looking in `src/games`: a new game is a new folder, nothing else.
 * `Board.svelte` draws a position, and exports `SeatLine` for what the players' strip says of one seat;
 * `Poster.svelte` is the lobby's picture. A game without one of them is drawn by the plain board of the kit.
 */
import type { Component } from 'svelte';
import PlainPoster from './plain/Poster.svelte';
import type { GameEvent, Move, Now, Refusal } from './protocol';
import type { ActAll } from './table.svelte';

export interface BoardProps<View = unknown> {
  now: Now<View>;
  names: string[];
  /** The viewer's seat; null for a spectator. */
  seat: number | null;
  /** The seat that a spectator follows: the board is turned to it, and shows what everyone may see. */
  followed?: number | null;
  /** A replay, or a spectator's page: nothing can be played. */
  readonly: boolean;
  /** Sends a move; null when it was played, else why not. */
  act: (move: Move) => Promise<Refusal | null>;
  /** Sends moves that belong together, one after another. */
  actAll: ActAll;
  /** The host's right not to wait until everyone is ready; left out for everyone else. */
  hurry?: () => Promise<Refusal | null>;
  /** The seats that bots play now. */
  bots?: number[];
  /** Asks the bots that let people go first to move. */
  consult?: () => Promise<Refusal | null>;
}

export interface BoardExports {
  /** Shows what happened before the new position is drawn. */
  animate?: (event: GameEvent) => Promise<void>;
  /** The prompt, if it depends on what this page is showing or has chosen; null leaves it to the game. */
  asks?: () => string | null;
  /** Whether an event is being shown that the game's prompt and hints have to wait for. */
  holds?: () => boolean;
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
  /** The game's `Seat.svelte`: it comes with the board, in one file. */
  SeatLine?: Component<SeatProps<never>>;
  /** Words that the log prints in colour: `{ Milano: 'var(--milano)' }`. */
  colours?: Record<string, string>;
  shortcuts?: Shortcut[];
  /** The game's own words above the final score. */
  headline?: Headline<never>;
  /** No confetti, because the subject is too serious. */
  sober?: boolean;
}

export interface PosterProps {
  title: string;
}

export type Headline<View = unknown> = (now: Now<View>, names: string[], seat: number | null) => string;

const boards = import.meta.glob<BoardModule>('../games/*/Board.svelte');
const posters = import.meta.glob<{ default: Component<PosterProps> }>('../games/*/Poster.svelte', { eager: true });

export interface GameParts {
  Board: Component<BoardProps, BoardExports>;
  SeatLine: Component<SeatProps> | null;
  colours: Record<string, string>;
  shortcuts: Shortcut[];
  headline: Headline | null;
  sober: boolean;
}

/** Everything the page needs to show a game. */
export async function partsOf(game: string): Promise<GameParts> {
  const board = await boards[`../games/${game}/Board.svelte`]?.();
  if (!board) return plainParts();
  return {
    Board: board.default as Component<BoardProps, BoardExports>,
    SeatLine: (board.SeatLine as Component<SeatProps> | undefined) ?? null,
    colours: board.colours ?? {},
    shortcuts: board.shortcuts ?? [],
    headline: (board.headline as Headline | undefined) ?? null,
    sober: board.sober ?? false,
  };
}

async function plainParts(): Promise<GameParts> {
  const [board, seatLine, { forgetColours, seenColours }] = await Promise.all([
    import('./PlainBoard.svelte'),
    import('./plain/Seat.svelte'),
    import('./plain/colours.svelte'),
  ]);
  forgetColours();
  return {
    Board: board.default as Component<BoardProps<never>, BoardExports> as Component<BoardProps, BoardExports>,
    SeatLine: seatLine.default,
    colours: seenColours,
    shortcuts: board.shortcuts,
    headline: null,
    sober: false,
  };
}

export const posterOf = (game: string): Component<PosterProps> =>
  posters[`../games/${game}/Poster.svelte`]?.default ?? PlainPoster;
