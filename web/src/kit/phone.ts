import { MediaQuery } from 'svelte/reactivity';
import { phone as widest } from './breakpoints.json';

/** Whether the page is laid out for a phone. In a style it is `@media (--phone)`, which svelte.config.js writes out. */
export const phone = new MediaQuery(`max-width: ${widest}px`);
