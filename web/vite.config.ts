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

/**
 * `import robot from 'icon:robot'` gives the drawing of one Fluent emoji as
 * `{ body, width, height }`. The set has thousands; only what is imported is shipped.
 */
function icons(): Plugin {
  const require = createRequire(import.meta.url);
  type Drawing = { body: string; width?: number; height?: number };
  let set: { icons: Record<string, Drawing>; width?: number; height?: number } | undefined;
  return {
    name: 'single-icons',
    resolveId: (id) => (id.startsWith('icon:') ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith('\0icon:')) return undefined;
      set ??= JSON.parse(readFileSync(require.resolve('@iconify-json/fluent-emoji-flat/icons.json'), 'utf8'));
      const name = id.slice('\0icon:'.length);
      const drawing = set?.icons[name];
      if (!drawing) throw new Error(`no icon is called ${name}`);
      const { body, width = set?.width ?? 32, height = set?.height ?? 32 } = drawing;
      return `export default ${JSON.stringify({ body: shortenDrawing(body, DIGITS), width, height })}`;
    },
  };
}

export default defineConfig({
  plugins: [svelte(), icons(), maps(), installable(), compressed()],
  build: {
    outDir: '../src/grandtour/server/page',
    emptyOutDir: true,
    // Nobody reads the sizes, and to know them everything would be compressed once more.
    reportCompressedSize: false,
    // The content security policy allows fonts from our own address only, so nothing becomes a data: address.
    assetsInlineLimit: 0,
    // The policy has no room for the inline helper that preloads modules in old browsers.
    modulePreload: { polyfill: false },
    // Whatever the lobby needs is one file: every other part of the page comes after it.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
  },
  server: {
    // The texts of a game's cards are in the game's own folder, and boards import them from there.
    fs: { allow: ['..'] },
    proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true, changeOrigin: false } },
  },
});
