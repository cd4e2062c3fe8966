import type { Coordinates } from "./distance.ts";

/** A zip code as a number, and where its middle is. */
export interface ZipCentroid extends Coordinates {
  readonly zip: number;
}

/** Degrees are kept to four decimals: eleven metres, far less than a zip code is wide. */
const STEPS_PER_DEGREE = 10_000;

/** Zip codes and their centroids in the order of the codes: three varints each, all but the first as differences. */
export function packZips(centroids: readonly ZipCentroid[]): Uint8Array {
  const bytes: number[] = [];
  const before = { zip: 0, lat: 0, lng: 0 };
  for (const { zip, lat, lng } of centroids.toSorted((a, b) => a.zip - b.zip)) {
    const now = { zip, lat: Math.round(lat * STEPS_PER_DEGREE), lng: Math.round(lng * STEPS_PER_DEGREE) };
    writeVarint(bytes, now.zip - before.zip);
    writeVarint(bytes, zigzag(now.lat - before.lat));
    writeVarint(bytes, zigzag(now.lng - before.lng));
    Object.assign(before, now);
  }
  return Uint8Array.from(bytes);
}

const zigzag = (value: number) => (value < 0 ? -2 * value - 1 : 2 * value);
const unzigzag = (value: number) => (value >>> 1) ^ -(value & 1);

function writeVarint(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
}

/** Centroids of zip codes, found by halving. */
export class ZipTable {
  readonly #zips: Int32Array;
  readonly #lats: Int32Array;
  readonly #lngs: Int32Array;

  /** @param count how many zip codes are packed. */
  constructor(packed: Uint8Array, count: number) {
    this.#zips = new Int32Array(count);
    this.#lats = new Int32Array(count);
    this.#lngs = new Int32Array(count);
    let at = 0;
    // The loop of a cold start: no allocation, and numbers that fit in 31 bits.
    const read = () => {
      let value = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = packed[at++] ?? 0;
        value |= (byte & 127) << shift;
        if (byte < 128) return value;
      }
    };
    let zip = 0;
    let lat = 0;
    let lng = 0;
    for (let index = 0; index < count; index++) {
      zip += read();
      lat += unzigzag(read());
      lng += unzigzag(read());
      this.#zips[index] = zip;
      this.#lats[index] = lat;
      this.#lngs[index] = lng;
    }
  }

  get size(): number {
    return this.#zips.length;
  }

  /**
   * The middle of a zip code. One without an area of its own (PO boxes, single buildings) has the mean of all with the
   * same first three digits. @returns undefined where no zip code begins so.
   */
  locate(zip: string): Coordinates | undefined {
    const wanted = Number(zip.slice(0, 5));
    const index = this.#firstFrom(wanted);
    if (this.#zips[index] === wanted) return this.#meanOf(index, index + 1);
    const prefix = Math.floor(wanted / 100) * 100;
    return this.#meanOf(this.#firstFrom(prefix), this.#firstFrom(prefix + 100));
  }

  *[Symbol.iterator](): Generator<ZipCentroid> {
    for (const [index, zip] of this.#zips.entries()) {
      const centroid = this.#meanOf(index, index + 1);
      if (centroid) yield { zip, ...centroid };
    }
  }

  /** Index of the first zip code that is not below this one. */
  #firstFrom(zip: number): number {
    let [low, high] = [0, this.#zips.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#zips[middle] ?? 0) < zip) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #meanOf(from: number, to: number): Coordinates | undefined {
    if (from === to) return undefined;
    const mean = (steps: Int32Array) =>
      steps.subarray(from, to).reduce((sum, step) => sum + step, 0) / (to - from) / STEPS_PER_DEGREE;
    return { lat: mean(this.#lats), lng: mean(this.#lngs) };
  }
}
