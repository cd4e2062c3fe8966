import type { Coordinates } from "./distance.ts";

/** Zip code as a number, with the coordinates of its centroid. */
export interface ZipCentroid extends Coordinates {
  readonly zip: number;
}

/** Coordinates have four decimals: eleven metres, far less than the width of a zip code area. */
const STEPS_PER_DEGREE = 10_000;

/** Encodes zip codes and their centroids, sorted by zip code: three delta-encoded varints each. */
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

/** Table of zip code centroids, with lookup by binary search. */
export class ZipTable {
  readonly #zips: Int32Array;
  readonly #lats: Int32Array;
  readonly #lngs: Int32Array;

  /** @param count number of encoded zip codes. */
  constructor(packed: Uint8Array, count: number) {
    this.#zips = new Int32Array(count);
    this.#lats = new Int32Array(count);
    this.#lngs = new Int32Array(count);
    let at = 0;
    // This loop dominates a cold start: it allocates nothing, and its integers fit in 31 bits.
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
   * Centroid of a zip code. A zip code without an area (PO boxes, single buildings) gets the mean of all zip codes with
   * the same first three digits.
   * @returns undefined for an unassigned prefix.
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

  /** Index of the first zip code that is greater than or equal to this one. */
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
