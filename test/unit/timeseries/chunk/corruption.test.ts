import { deflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { ByteWriter, ChunkFormatError } from "../../../../lib/domain/timeseries/chunk/byte-stream.ts";
import { decodeChunk, encodeChunk } from "../../../../lib/domain/timeseries/chunk/codec.ts";
import { createSeededRandom } from "../../../support/synthetic-streams.ts";
import { goldenChunks } from "./golden/chunks.ts";

const samples = Object.entries(goldenChunks).map(([name, chunk]) => ({ name, bytes: encodeChunk(chunk) }));

/** Decodes possibly corrupt bytes to a chunk that encodes again, or to a ChunkFormatError. */
function outcomeOf(bytes: Uint8Array): "decoded" | "refused" {
  try {
    encodeChunk(decodeChunk(bytes));
    return "decoded";
  } catch (error) {
    if (error instanceof ChunkFormatError) return "refused";
    throw error;
  }
}

/** A deflated version 1 chunk with the given packed part. */
function chunkWithPacked(write: (packed: ByteWriter) => void): Uint8Array {
  const packed = new ByteWriter();
  write(packed);
  const deflated = deflateRawSync(packed.written());
  const chunk = new ByteWriter();
  for (const number of [1, packed.written().length, deflated.length]) chunk.varint(number);
  chunk.bytes(deflated);
  return chunk.written();
}

describe("decodeChunk", () => {
  test.each(samples)("rejects every truncation of $name", ({ bytes }) => {
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeChunk(bytes.subarray(0, length)), `${length} bytes`).toThrow(ChunkFormatError);
    }
  });

  test.each(samples)("rejects trailing bytes after $name", ({ bytes }) => {
    expect(() => decodeChunk(Uint8Array.from([...bytes, 0]))).toThrow(ChunkFormatError);
  });

  test.each(samples)(
    "rejects 2,000 random bit flips in $name or decodes them to a valid chunk",
    { tags: "deep" },
    ({ bytes }) => {
      const random = createSeededRandom(7);
      const outcomes = Array.from({ length: 2_000 }, () => {
        const flipped = bytes.slice();
        for (let flips = 1 + random() * 3; flips >= 1; flips--) {
          flipped[Math.floor(random() * bytes.length)]! ^= 1 + Math.floor(random() * 255);
        }
        return outcomeOf(flipped);
      });
      expect(outcomes).toContain("refused");
    },
  );

  test("names an unknown codec version", () => {
    expect(() => decodeChunk(Uint8Array.of(2, 0, 0))).toThrow("unknown chunk codec version 2");
    expect(() => decodeChunk(new Uint8Array(0))).toThrow(ChunkFormatError);
  });

  test("rejects announced sizes before it allocates memory", () => {
    const announcing = (...numbers: number[]) =>
      chunkWithPacked((packed) => {
        for (const number of numbers) packed.varint(number);
      });
    expect(() => decodeChunk(Uint8Array.of(1, 255, 255, 255, 255, 15, 0))).toThrow("packed length 4294967295 above");
    expect(() => decodeChunk(announcing(2 ** 40))).toThrow("number of atoms 1099511627776 above");
    expect(() => decodeChunk(announcing(0, 2 ** 40))).toThrow("number of samples 1099511627776 above");
    expect(() => decodeChunk(announcing(1, 2 ** 40))).toThrow("chunk ends early");
  });

  test("rejects a deflate stream that yields less than announced", () => {
    const bytes = encodeChunk(goldenChunks["sleep-contiguous-intervals"]!);
    bytes[1]! += 1;
    expect(() => decodeChunk(bytes)).toThrow(/^inflated to \d+ bytes, not \d+$/);
  });

  test("rejects a deflate stream that yields more than announced", () => {
    const deflated = deflateRawSync(new Uint8Array(1_000_000));
    expect(() =>
      decodeChunk(Uint8Array.of(1, 5, 128 + (deflated.length % 128), deflated.length >> 7, ...deflated)),
    ).toThrow(ChunkFormatError);
  });
});
