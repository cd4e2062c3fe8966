import { createHash } from "node:crypto";
import type { Ids } from "../../lib/runtime/ports.ts";

/** A random number in [0, 1) that depends only on the seed and its purpose, not on earlier draws. */
export type KeyedRandom = (about: string) => number;

/** Creates the random source of one seed. */
export function createKeyedRandom(seed: number): KeyedRandom {
  return (about) => createHash("sha256").update(`${seed} ${about}`).digest().readUInt32BE() / 2 ** 32;
}

/** An integer from 0 to below `end`. */
export const randomBelow = (random: KeyedRandom, about: string, end: number): number => Math.floor(random(about) * end);

/** One of some items, with equal probability. */
export function randomChoice<T>(random: KeyedRandom, about: string, things: readonly [T, ...T[]]): T {
  return things[randomBelow(random, about, things.length)] ?? things[0];
}

/** Identifiers that repeat with the seed, in the order of the requests for them. */
export function seededIds(seed: number): Ids {
  let count = 0;
  const block = () => createHash("sha256").update(`ids ${seed} ${count++}`).digest();
  return {
    uuid() {
      const hex = block().toString("hex");
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
    },
    bytes(length) {
      const blocks = Array.from({ length: Math.ceil(length / 32) }, block);
      return Buffer.concat(blocks).subarray(0, length);
    },
  };
}
