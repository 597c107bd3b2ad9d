/**
 * Makes the page installable as an app: draws its icons during the build, and lists the files that the service worker
 * caches for reading rulebooks offline.
 */
import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import type { Plugin } from 'vite';

type Colour = [number, number, number];
const RED: Colour = [0xd6, 0x45, 0x2c];
const CREAM: Colour = [0xff, 0xfa, 0xf0];
const NAVY: Colour = [0x1d, 0x2b, 0x3a];

/** The colour of a point of the compass in public/favicon.svg, in its units. Red around it, because launchers crop icons. */
function compass(x: number, y: number): Colour {
  const across = Math.abs(x - 22);
  const along = Math.abs(y - 22);
  if (across / 5 + along / 19 <= 1) return y < 22 ? NAVY : CREAM;
  return Math.abs(Math.sqrt(across * across + along * along) - 15.5) <= 0.9 ? CREAM : RED;
}

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});

function chunk(kind: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'ascii'), data]);
  const crc = ~body.reduce((sum, byte) => CRC[(sum ^ byte) & 255]! ^ (sum >>> 8), ~0) >>> 0;
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc);
  return Buffer.concat([length, body, check]);
}

/** The compass as a square PNG, `size` pixels wide, with four by four samples per pixel. */
function icon(size: number): Buffer {
  const SAMPLES = 4;
  const rows = Buffer.alloc(size * (1 + 3 * size));
  // The ring and the needle stay within the area that every launcher shows.
  const unit = (pixel: number) => 22 + ((pixel / size - 0.5) * 44) / 0.86;
  let at = 0;
  for (let y = 0; y < size; y++) {
    rows[at++] = 0;
    for (let x = 0; x < size; x++) {
      let [red, green, blue] = [0, 0, 0];
      for (let sample = 0; sample < SAMPLES * SAMPLES; sample++) {
        const dx = ((sample % SAMPLES) + 0.5) / SAMPLES;
        const dy = (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES;
        const colour = compass(unit(x + dx), unit(y + dy));
        red += colour[0];
        green += colour[1];
        blue += colour[2];
      }
      for (const sum of [red, green, blue]) rows[at++] = Math.round(sum / (SAMPLES * SAMPLES));
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

/** Adds icons and the service worker to the page. */
export function installable(): Plugin {
  return {
    name: 'installable',
    apply: 'build',
    generateBundle(_, bundle) {
      for (const size of [192, 512]) this.emitFile({ type: 'asset', fileName: `icon-${size}.png`, source: icon(size) });
      const kept = new Set<string>();
      const keep = (file: string) => {
        const part = bundle[file];
        if (part?.type !== 'chunk' || kept.has(file)) return;
        kept.add(file);
        for (const style of part.viteMetadata?.importedCss ?? []) kept.add(style);
        part.imports.forEach(keep);
      };
      for (const part of Object.values(bundle))
        if (part.type === 'chunk' && (part.isEntry || /(RulesPage\.svelte|figures\.ts)$/.test(part.facadeModuleId ?? ''))) keep(part.fileName);
      for (const file of Object.keys(bundle)) if (/-latin-wght-.*\.woff2$/.test(file)) kept.add(file);
      const worker = readFileSync(new URL('./service-worker.js', import.meta.url), 'utf8');
      const files = JSON.stringify([...kept].sort().map((file) => `/${file}`));
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: worker.replace('/* files */', files.slice(1, -1)) });
    },
  };
}
