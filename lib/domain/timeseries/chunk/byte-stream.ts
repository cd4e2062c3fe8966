/**
 * Thrown for bytes that are not a chunk of a known codec version: truncated, corrupt, or written by a newer release.
 */
export class ChunkFormatError extends Error {
  override name = "ChunkFormatError";
}

/**
 * Zigzag encoding: maps signed to unsigned integers and keeps small magnitudes small (0, -1, 1, -2 ... become 0, 1, 2,
 * 3 ...).
 */
export function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

/** Inverse of `zigzag`. */
export function unzigzag(value: number): number {
  if (value <= 0x7fffffff) return (value >>> 1) ^ -(value & 1);
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

/** A growing byte array. Integers are little-endian base-128 varints (LEB128) up to 2^53 - 1. */
export class ByteWriter {
  private buffer = new Uint8Array(256);
  private used = 0;

  byte(value: number): void {
    if (this.used === this.buffer.length) this.grow(1);
    this.buffer[this.used++] = value;
  }

  varint(value: number): void {
    let rest = value;
    for (; rest > 0x7fffffff; rest = Math.floor(rest / 128)) this.byte((rest % 128) + 128);
    for (; rest > 127; rest >>>= 7) this.byte((rest & 127) | 128);
    this.byte(rest);
  }

  bytes(source: Uint8Array): void {
    if (this.used + source.length > this.buffer.length) this.grow(source.length);
    this.buffer.set(source, this.used);
    this.used += source.length;
  }

  /** The written bytes, without a copy. */
  written(): Uint8Array {
    return this.buffer.subarray(0, this.used);
  }

  private grow(needed: number): void {
    const larger = new Uint8Array(Math.max(this.buffer.length * 2, this.used + needed));
    larger.set(this.buffer);
    this.buffer = larger;
  }
}

/** Reads the output of a `ByteWriter`. Every read past the end throws a ChunkFormatError. */
export class ByteReader {
  private readonly source: Uint8Array;
  private position = 0;

  constructor(source: Uint8Array) {
    this.source = source;
  }

  get remaining(): number {
    return this.source.length - this.position;
  }

  byte(): number {
    const value = this.source[this.position++];
    if (value === undefined) throw new ChunkFormatError("chunk ends early");
    return value;
  }

  varint(): number {
    let value = this.byte();
    if (value < 128) return value;
    value -= 128;
    for (let scale = 128; scale <= 2 ** 49; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return requireSafeInteger(value);
    }
    throw new ChunkFormatError("integer too long");
  }

  /** Reads a varint of at most `limit`. Rejects larger values before anything of that size is allocated. */
  count(limit: number, what: string): number {
    const value = this.varint();
    if (value > limit) throw new ChunkFormatError(`${what} ${value} above ${limit}`);
    return value;
  }

  bytes(length: number): Uint8Array {
    if (length > this.remaining) throw new ChunkFormatError("chunk ends early");
    this.position += length;
    return this.source.subarray(this.position - length, this.position);
  }
}

/**
 * Returns a safe integer unchanged. Sums of corrupt deltas leave that range.
 * @throws ChunkFormatError
 */
export function requireSafeInteger(value: number): number {
  if (!Number.isSafeInteger(value)) throw new ChunkFormatError("integer out of range");
  return value;
}
