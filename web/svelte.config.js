import { readFileSync } from 'node:fs';
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

const { phone, narrow } = JSON.parse(readFileSync(new URL('src/kit/breakpoints.json', import.meta.url), 'utf8'));

/**
 * The names that styles use for widths, so that each width is written once: `@media (--phone)` and `@media (--desk)`
 * choose between the two layouts of a table, `@media (--narrow-screen)` and `@media (--wide-screen)` tell an upright phone from
 * everything wider.
 */
const widths = {
  '(--phone)': `(max-width: ${phone}px)`,
  '(--desk)': `(min-width: ${phone + 1}px)`,
  '(--narrow-screen)': `(max-width: ${narrow}px)`,
  '(--wide-screen)': `(min-width: ${narrow + 1}px)`,
};

const breakpoints = {
  name: 'breakpoints',
  style: ({ content }) => ({
    code: Object.entries(widths).reduce((code, [name, width]) => code.replaceAll(name, width), content),
  }),
};

export default { preprocess: [vitePreprocess(), breakpoints] };
