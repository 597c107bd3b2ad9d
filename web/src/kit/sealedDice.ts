/** A second implementation of Python's sealed dice (`engine/dice.py`), to check shuffles without trusting the server. */
import { blake2b } from '@noble/hashes/blake2.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

/** Numbers of 32 bits in a block of BLAKE2b. */
const IN_A_BLOCK = 16;
const NUMBERS = 2 ** 32;

/** What is shown before a match: the SHA-256 of the secret. Both are in hexadecimal. */
export const sealOf = (secret: string): string => bytesToHex(sha256(hexToBytes(secret)));

/** Keyed BLAKE2b in counter mode. Numbers that would favour one outcome are rejected and drawn again. */
export class SealedDice {
  #key: Uint8Array;
  #block = new DataView(new ArrayBuffer(0));
  /** How many numbers of 32 bits were taken, rejected ones too. */
  drawn = 0;

  constructor(secret: string) {
    this.#key = hexToBytes(secret);
  }

  /** A number from 0 to n - 1. */
  below(n: number): number {
    const limit = Math.floor(NUMBERS / n) * n;
    for (;;) {
      const number = this.#next();
      if (number < limit) return number % n;
    }
  }

  /** The cards in a new order. */
  shuffled(cards: readonly number[]): number[] {
    const order = [...cards];
    for (let i = order.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [order[i], order[j]] = [order[j]!, order[i]!];
    }
    return order;
  }

  #next(): number {
    const place = this.drawn % IN_A_BLOCK;
    if (place === 0) {
      const counter = new DataView(new ArrayBuffer(8));
      counter.setBigUint64(0, BigInt(this.drawn / IN_A_BLOCK), true);
      const data = blake2b(new Uint8Array(counter.buffer), { key: this.#key });
      this.#block = new DataView(data.buffer, data.byteOffset, data.byteLength);
    }
    this.drawn++;
    return this.#block.getUint32(4 * place, true);
  }
}
