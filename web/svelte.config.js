import { readFileSync } from 'node:fs';
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

const { phone } = JSON.parse(readFileSync(new URL('src/kit/breakpoint.json', import.meta.url), 'utf8'));

/** Styles say `@media (--phone)` and `@media (--desk)`: the width at which one ends and the other begins is written once. */
const breakpoint = {
  name: 'breakpoint',
  style: ({ content }) => ({
    code: content.replaceAll('(--phone)', `(max-width: ${phone}px)`).replaceAll('(--desk)', `(min-width: ${phone + 1}px)`),
  }),
};

export default { preprocess: [vitePreprocess(), breakpoint] };
