/** A stateless random function: returns a number in [0, 1) that depends only on seed, name and position. */
export type SeededRandom = (name: string, at: number) => number;

/**
 * Creates the random function of a seed. It hashes the position (a day, a minute), so that each position has its number
 * whichever days a request covers; a sequential generator would depend on the first day. Not cryptographically secure.
 * @param seed an integer; the low 32 bits of seed and position count.
 */
export function createSeededRandom(seed: number): SeededRandom {
  return (name, at) => {
    let hash = mixHash(seed);
    for (let index = 0; index < name.length; index++) hash = mixHash(hash ^ name.charCodeAt(index));
    return (mixHash(hash ^ at) >>> 0) / 2 ** 32;
  };
}

/** The finalizer of MurmurHash3 (public domain), shifted off its fixed point 0. */
function mixHash(word: number): number {
  let hash = (word + 0x9e3779b9) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** A uniformly distributed number in [low, high). */
export function randomBetween(random: SeededRandom, name: string, at: number, low: number, high: number): number {
  return low + random(name, at) * (high - low);
}

/** A uniformly distributed integer from `low` to `high`, both included. */
export function randomInteger(draw: SeededRandom, name: string, at: number, low: number, high: number): number {
  return Math.floor(randomBetween(draw, name, at, low, high + 1));
}

/** Approximately normal noise with mean 0 and standard deviation 1, limited to [-3, 3]. */
export function randomNoise(draw: SeededRandom, name: string, at: number): number {
  return 2 * (draw(`${name} a`, at) + draw(`${name} b`, at) + draw(`${name} c`, at)) - 3;
}
