/** Chance without state: a number from 0 (included) to 1 (excluded) that depends only on seed, name and place. */
export type Draw = (name: string, at: number) => number;

/**
 * The chance of one seed. A generator that is called in order would give other numbers when it starts on another day;
 * hashing the place (a day, a minute) gives each its own number, however the data is cut. Not for secrets.
 * @param seed an integer; 32 bits of it count, as of every place.
 */
export function drawsOf(seed: number): Draw {
  return (name, at) => {
    let hash = mixed(seed);
    for (let index = 0; index < name.length; index++) hash = mixed(hash ^ name.charCodeAt(index));
    return (mixed(hash ^ at) >>> 0) / 2 ** 32;
  };
}

/** The finalizer of MurmurHash3 (public domain), moved off its fixed point 0. */
function mixed(word: number): number {
  let hash = (word + 0x9e3779b9) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** A number from `low` to `high`, all equally likely. */
export function between(draw: Draw, name: string, at: number, low: number, high: number): number {
  return low + draw(name, at) * (high - low);
}

/** A whole number from `low` to `high`, both included. */
export function wholeBetween(draw: Draw, name: string, at: number, low: number, high: number): number {
  return Math.floor(between(draw, name, at, low, high + 1));
}

/** Noise around 0 with standard deviation 1, close to the normal distribution but never beyond 3. */
export function noise(draw: Draw, name: string, at: number): number {
  return 2 * (draw(`${name} a`, at) + draw(`${name} b`, at) + draw(`${name} c`, at)) - 3;
}
