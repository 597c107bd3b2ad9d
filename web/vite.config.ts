import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';
import { compressed } from './compressed';
import { installable } from './installable';
import { maps } from './maps';
import { shortenDrawing } from './shorten';

/** Digits after the point in a drawing of 32 by 32: a tenth is less than half a pixel, even where it is drawn largest. */
const DIGITS = 1;

/** Who has icons of their own. */
const OWNER = /\/src\/(games\/word-traveler\/(?:newYork|paris|london|tokyo)|games\/[\w-]+|kit|pages)/;

/**
 * `import robot from 'icon:robot'` gives the drawing of one Fluent emoji as
 * `{ body, width, height }`. The set has thousands; only what is imported is shipped. A city's scenes, a game and the kit
 * have each their own copy: a file of its own for a drawing that two of them use would cost more than it saves.
 */
function icons(): Plugin {
  const require = createRequire(import.meta.url);
  type Drawing = { body: string; width?: number; height?: number };
  let set: { icons: Record<string, Drawing>; width?: number; height?: number } | undefined;
  return {
    name: 'single-icons',
    resolveId: (id, importer) => (id.startsWith('icon:') ? `\0${id}?${OWNER.exec(importer ?? '')?.[1] ?? ''}` : undefined),
    load(id) {
      if (!id.startsWith('\0icon:')) return undefined;
      set ??= JSON.parse(readFileSync(require.resolve('@iconify-json/fluent-emoji-flat/icons.json'), 'utf8'));
      const name = id.slice('\0icon:'.length, id.indexOf('?'));
      const drawing = set?.icons[name];
      if (!drawing) throw new Error(`no icon is called ${name}`);
      const { body, width = set?.width ?? 32, height = set?.height ?? 32 } = drawing;
      return `export default ${JSON.stringify({ body: shortenDrawing(body, DIGITS), width, height })}`;
    },
  };
}

/**
 * What is fetched together is one file: each file more costs its headers, which are longer than many a part of the page.
 * Whatever the lobby needs comes first, then what every table needs, then the board of one game with its line in the
 * players' list.
 */
const GROUPS = [
  { name: 'first', tags: ['$initial' as const] },
  { name: 'table', test: /\/src\/pages\/Table(Page|Layout)\.svelte|\/src\/kit\/(arrows|drag|hinted|numbers|viewer|Card|Hand|Piece|SeatLine|TicketShape)\./ },
];

export default defineConfig({
  plugins: [svelte(), icons(), maps(), installable(), compressed()],
  build: {
    outDir: '../src/grandtour/server/page',
    emptyOutDir: true,
    // Reporting the sizes would compress everything once more.
    reportCompressedSize: false,
    // The content security policy allows fonts from our own address only, so nothing becomes a data: address.
    assetsInlineLimit: 0,
    // The policy forbids the inline helper that preloads modules in old browsers.
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: GROUPS } } },
  },
  server: {
    // Boards import the texts of a game's cards from the game's Python folder.
    fs: { allow: ['..'] },
    proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true, changeOrigin: false } },
  },
});
