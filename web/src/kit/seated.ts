import { getContext, setContext } from 'svelte';

const KEY = Symbol('who plays a seat');

/** Tells what is drawn inside which bot plays the seat, if one does. */
export const tellBot = (bot: () => string | null): unknown => setContext(KEY, bot);

/** The bot that plays the seat, where somebody told. */
export const botHere = (): (() => string | null) => getContext<(() => string | null) | undefined>(KEY) ?? (() => null);
