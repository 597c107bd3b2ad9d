/** The pictures of a rulebook: `figures.ts` in a game's folder says which pieces of the board stand at which paragraph. */
import type { Component } from 'svelte';

export interface Shown {
  piece: Component<never>;
  props: Record<string, unknown>;
  /** In pixels. */
  width: number;
  /** For a piece that fills its container; others have their own height. */
  height?: number;
}

export interface Figure {
  /** A paragraph, or `short` for the game in a minute, at the top. */
  at: string;
  /** What it shows, for those who do not see it, and as the caption. */
  alt: string;
  pieces: Shown[];
}

/** A piece of the board, with its properties and its size. */
export const show = <Props extends Record<string, unknown>>(
  piece: Component<Props>,
  props: NoInfer<Props>,
  width: number,
  height?: number,
): Shown => ({ piece: piece as unknown as Component<never>, props, width, height });

const found = import.meta.glob<{ figures: Figure[] }>('../games/*/figures.ts');

/** The figures of a game; none where there are none. */
export const figuresOf = async (game: string): Promise<Figure[]> =>
  (await found[`../games/${game}/figures.ts`]?.())?.figures ?? [];
