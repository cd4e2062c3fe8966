import { ChunkFormatError } from "./byte-stream.ts";
import type { IntegerPlan, ReadStreams, WriteStreams } from "./integer-column.ts";
import { entropyBits, MAX_COLUMN_INTEGER, planIntegers, readIntegers, writeIntegers } from "./integer-column.ts";

/** Forms 0 to 6 are integers divided by 10^form. */
const MAX_DECIMALS = 6;
/** Form: the distinct values once, ascending, then the index of each. Suits values converted between units. */
const DICTIONARY = 7;
/** Form: IEEE 754 doubles by byte plane. Lossless for all numbers. */
const DOUBLES = 8;
/** Below this number of repetitions a dictionary costs more than it saves. */
const MIN_REPETITIONS = 3;

interface DecimalPlan {
  decimals: number;
  integers: IntegerPlan;
}

interface DictionaryPlan {
  distinct: Float64Array;
  indexes: IntegerPlan;
  costBits: number;
}

/** Writes finite doubles in the cheapest form that restores exactly the same bits. */
export function writeNumbers(streams: WriteStreams, values: Float64Array): void {
  if (values.length === 0) return;
  const decimal = planDecimals(values);
  const dictionary = planDictionary(values);
  if (dictionary && dictionary.costBits < (decimal?.integers.costBits ?? Number.POSITIVE_INFINITY)) {
    streams.packed.byte(DICTIONARY);
    streams.packed.varint(dictionary.distinct.length);
    writeExact(streams, dictionary.distinct, planDecimals(dictionary.distinct));
    writeIntegers(streams, dictionary.indexes);
  } else writeExact(streams, values, decimal);
}

/** Reads `count` numbers written by `writeNumbers`. */
export function readNumbers(streams: ReadStreams, count: number): Float64Array {
  if (count === 0) return new Float64Array(0);
  const form = streams.packed.byte();
  if (form !== DICTIONARY) return readExact(streams, form, count);
  const size = streams.packed.count(count, "dictionary size");
  const distinct = readExact(streams, streams.packed.byte(), size);
  return readIntegers(streams, count).map((index) => {
    const value = distinct[index];
    if (value === undefined) throw new ChunkFormatError(`no dictionary entry ${index}`);
    return value;
  });
}

function writeExact(streams: WriteStreams, values: Float64Array, decimal: DecimalPlan | undefined): void {
  streams.packed.byte(decimal?.decimals ?? DOUBLES);
  if (decimal) writeIntegers(streams, decimal.integers);
  else writeDoubles(streams, values);
}

function readExact(streams: ReadStreams, form: number, count: number): Float64Array {
  if (form === DOUBLES) return readDoubles(streams, count);
  if (form > MAX_DECIMALS) throw new ChunkFormatError(`unknown number column form ${form}`);
  const values = readIntegers(streams, count);
  const scale = 10 ** form;
  if (scale > 1) for (let index = 0; index < count; index++) values[index] = (values[index] ?? 0) / scale;
  return values;
}

/** The fewest decimals that restore every value bit by bit, or undefined. -0 has no integer form, so it never fits. */
function planDecimals(values: Float64Array): DecimalPlan | undefined {
  let decimals = 0;
  for (const value of values) {
    while (!fits(value, 10 ** decimals)) if (++decimals > MAX_DECIMALS) return undefined;
  }
  const scale = 10 ** decimals;
  if (!values.every((value) => fits(value, scale))) return undefined;
  return { decimals, integers: planIntegers(values.map((value) => Math.round(value * scale))) };
}

function fits(value: number, scale: number): boolean {
  // Adding 0 turns -0 into 0, as the integer column does; the comparison then rejects it.
  const integer = Math.round(value * scale) + 0;
  return Math.abs(integer) <= MAX_COLUMN_INTEGER && Object.is(integer / scale, value);
}

/**
 * Plans a dictionary, or returns undefined when it cannot pay off. Ascending order turns small value changes into small
 * index changes.
 */
function planDictionary(values: Float64Array): DictionaryPlan | undefined {
  const indexOf = new Map<number, number>();
  for (const value of values) indexOf.set(value, 0);
  if (indexOf.size * MIN_REPETITIONS > values.length || values.some((value) => Object.is(value, -0))) return undefined;
  const distinct = Float64Array.from(indexOf.keys()).sort();
  distinct.forEach((value, index) => {
    indexOf.set(value, index);
  });
  const indexes = planIntegers(values.map((value) => indexOf.get(value) ?? 0));
  const tableBits = planDecimals(distinct)?.integers.costBits ?? distinct.length * 64;
  return { distinct, indexes, costBits: indexes.costBits + tableBits };
}

/** Writes eight planes, one per byte of the doubles; a mask marks the noisy ones. */
function writeDoubles({ packed, noise }: WriteStreams, values: Float64Array): void {
  const planes = Array.from({ length: 8 }, () => new Uint8Array(values.length));
  const view = new DataView(new ArrayBuffer(8));
  values.forEach((value, index) => {
    view.setFloat64(0, value);
    for (const [byte, plane] of planes.entries()) plane[index] = view.getUint8(byte);
  });
  const noisy = planes.map(isNoise);
  packed.byte(noisy.reduce((mask, yes, byte) => mask + (yes ? 1 << byte : 0), 0));
  for (const [byte, plane] of planes.entries()) (noisy[byte] ? noise : packed).bytes(plane);
}

function readDoubles({ packed, noise }: ReadStreams, count: number): Float64Array {
  const mask = packed.byte();
  const planes = Array.from({ length: 8 }, (_, byte) => (mask & (1 << byte) ? noise : packed).bytes(count));
  const values = new Float64Array(count);
  const view = new DataView(new ArrayBuffer(8));
  for (let index = 0; index < count; index++) {
    for (let byte = 0; byte < 8; byte++) view.setUint8(byte, planes[byte]?.[index] ?? 0);
    values[index] = view.getFloat64(0);
    if (!Number.isFinite(values[index])) throw new ChunkFormatError("number is not finite");
  }
  return values;
}

/** Whether deflate cannot shrink these bytes. */
function isNoise(plane: Uint8Array): boolean {
  const histogram = new Uint32Array(256);
  for (const byte of plane) histogram[byte]!++;
  return entropyBits(histogram) >= plane.length * 8;
}
