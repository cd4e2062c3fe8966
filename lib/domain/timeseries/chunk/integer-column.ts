import type { ByteReader, ByteWriter } from "./byte-stream.ts";
import { ChunkFormatError, requireSafeInteger, unzigzag, zigzag } from "./byte-stream.ts";

/**
 * The two streams of a chunk being written. `packed` is deflated as a whole. `noise` is stored as is: low bytes of
 * jittering numbers do not compress and would only spoil the Huffman code of the rest.
 */
export interface WriteStreams {
  packed: ByteWriter;
  noise: ByteWriter;
}

/** The two streams of a chunk being read. */
export interface ReadStreams {
  packed: ByteReader;
  noise: ByteReader;
}

/** Maximum magnitude in an integer column: the zigzagged difference of two values must be a safe integer. */
export const MAX_COLUMN_INTEGER = 2 ** 50;

const MAX_NOISE_BYTES = 3;
/** Approximate cost of one more symbol in the Huffman table of a deflate block. */
const TABLE_BITS_PER_SYMBOL = 5;

/** The cheapest encoding found for a column of integers. `costBits` compares it with the plans of other columns. */
export interface IntegerPlan {
  /** Whether each value is stored relative to the previous one, instead of to `base`. */
  delta: boolean;
  noiseBytes: number;
  /** Greatest common divisor of all differences; 0 when all values equal `base`. */
  unit: number;
  base: number;
  residuals: Float64Array;
  costBits: number;
}

/**
 * Plans the encoding of integers up to MAX_COLUMN_INTEGER: centred or delta, and the number of low bytes in the noise.
 */
export function planIntegers(values: Float64Array): IntegerPlan {
  const first = values[0] ?? 0;
  const unit = commonUnit(values);
  const constant = { delta: false, noiseBytes: 0, unit, base: first, residuals: new Float64Array(0), costBits: 24 };
  if (unit === 0) return constant;
  const median = values.slice().sort()[values.length >> 1] ?? 0;
  const centred = values.map((value) => zigzag((value - median) / unit));
  const deltas = values.map((value, index) => zigzag((value - (values[index - 1] ?? first)) / unit));
  let best: IntegerPlan = { ...constant, costBits: Number.POSITIVE_INFINITY };
  const largest = deltas.reduce((maximum, residual) => Math.max(maximum, residual), 0);
  for (let noiseBytes = 0; noiseBytes <= MAX_NOISE_BYTES && 256 ** noiseBytes <= largest; noiseBytes++) {
    const centredBits = estimateBits(centred, noiseBytes);
    const deltaBits = estimateBits(deltas, noiseBytes);
    const costBits = Math.min(centredBits, deltaBits);
    if (costBits >= best.costBits) continue;
    const delta = deltaBits < centredBits;
    best = { delta, noiseBytes, unit, base: delta ? first : median, residuals: delta ? deltas : centred, costBits };
  }
  return best;
}

/** Writes a planned column: form, unit, base, then one varint per value, with its low bytes in the noise. */
export function writeIntegers({ packed, noise }: WriteStreams, plan: IntegerPlan): void {
  packed.byte(plan.noiseBytes * 2 + (plan.delta ? 1 : 0));
  packed.varint(plan.unit);
  packed.varint(zigzag(plan.base));
  const scale = 256 ** plan.noiseBytes;
  for (const residual of plan.residuals) {
    packed.varint(Math.floor(residual / scale));
    for (let low = residual % scale, byte = 0; byte < plan.noiseBytes; byte++, low = Math.floor(low / 256)) {
      noise.byte(low % 256);
    }
  }
}

/** Reads `count` integers written by `writeIntegers`. */
export function readIntegers({ packed, noise }: ReadStreams, count: number): Float64Array {
  const form = packed.byte();
  const noiseBytes = form >> 1;
  if (noiseBytes > MAX_NOISE_BYTES) throw new ChunkFormatError(`unknown integer column form ${form}`);
  const unit = packed.varint();
  const base = unzigzag(packed.varint());
  const values = new Float64Array(count).fill(base);
  if (unit === 0) return values;
  const scale = 256 ** noiseBytes;
  let origin = base;
  for (let index = 0; index < count; index++) {
    let residual = packed.varint() * scale;
    for (let byte = 0, place = 1; byte < noiseBytes; byte++, place *= 256) residual += noise.byte() * place;
    const value = requireSafeInteger(origin + unzigzag(residual) * unit);
    values[index] = value;
    if (form & 1) origin = value;
  }
  return values;
}

/** Greatest common divisor of the differences between all values; 0 when all are equal. */
function commonUnit(values: Float64Array): number {
  const first = values[0] ?? 0;
  let unit = 0;
  for (let index = 1; index < values.length && unit !== 1; index++) {
    unit = gcd(unit, Math.abs((values[index] ?? 0) - first));
  }
  return unit;
}

function gcd(a: number, b: number): number {
  let [larger, smaller] = [a, b];
  while (smaller !== 0) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

/**
 * Order-0 entropy of the varint bytes, plus their table and the noise: a cheap estimate of the deflated size in bits.
 */
function estimateBits(residuals: Float64Array, noiseBytes: number): number {
  const histogram = new Uint32Array(256);
  const scale = 256 ** noiseBytes;
  for (let index = 0; index < residuals.length; index++) {
    let rest = Math.floor((residuals[index] ?? 0) / scale);
    for (; rest > 127; rest = Math.floor(rest / 128)) histogram[(rest % 128) + 128]!++;
    histogram[rest]!++;
  }
  return entropyBits(histogram) + residuals.length * 8 * noiseBytes;
}

/** Bits that an ideal order-0 code needs for bytes of these frequencies, including the estimated cost of its table. */
export function entropyBits(histogram: Uint32Array): number {
  const total = histogram.reduce((sum, frequency) => sum + frequency, 0);
  let bits = 0;
  for (const frequency of histogram) {
    if (frequency > 0) bits += frequency * Math.log2(total / frequency) + TABLE_BITS_PER_SYMBOL;
  }
  return bits;
}
