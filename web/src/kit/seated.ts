import { getContext, setContext } from 'svelte';

const KEY = Symbol('who plays a seat');

/** Context for the components inside a seat: the bot that plays it, if any. */
export const tellBot = (bot: () => string | null): unknown => setContext(KEY, bot);

/** The bot that plays the seat, if it was provided. */
export const botHere = (): (() => string | null) => getContext<(() => string | null) | undefined>(KEY) ?? (() => null);
