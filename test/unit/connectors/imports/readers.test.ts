import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCsvRows } from "../../../../lib/connectors/imports/reading/csv-rows.ts";
import { DamagedFile } from "../../../../lib/connectors/imports/reading/input-error.ts";
import { readJsonItems } from "../../../../lib/connectors/imports/reading/json-items.ts";

/** Splits bytes into parts of a length, so that parts end anywhere. */
async function* inParts(text: string, length: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const all = async <T>(batches: AsyncIterable<readonly T[]>): Promise<T[]> => (await Array.fromAsync(batches)).flat();

describe("readCsvRows", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", "é", '"', ",", ";", "\n", " ", "😀"), maxLength: 6 });
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;

  test("reads what was written, in parts of any length and with both delimiters", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 5 }),
        fc.constantFrom(",", ";"),
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom("\n", "\r\n"),
        async (rows, delimiter, length, end) => {
          const lines = [["x", "y", "z"], ...rows.map((row) => row.map(quote))].map((row) => row.join(delimiter));
          const read = await all(readCsvRows(inParts(`${lines.join(end)}${end}`, length)));
          expect(read).toEqual(rows.map(([x, y, z]) => ({ x, y, z })));
        },
      ),
    );
  });

  test("leaves out the byte order mark, empty lines and cells beyond the columns; fills absent cells", async () => {
    const text = "\uFEFFfirst line,1,2\nx,y\n\n1,2,\n3\n";
    expect(await all(readCsvRows(inParts(text, 4), { skipLines: 1 }))).toEqual([
      { x: "1", y: "2" },
      { x: "3", y: "" },
    ]);
  });

  test("keeps text after a closing quote, and refuses a file that ends within quotes", async () => {
    expect(await all(readCsvRows(inParts('x,y\n"a"b,c\n', 3)))).toEqual([{ x: '"a"b', y: "c" }]);
    await expect(all(readCsvRows(inParts('x\n"open\nnever closed', 3)))).rejects.toThrow(DamagedFile);
  });
});

describe("readJsonItems", () => {
  const item = fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });

  test("reads the objects of a list, in parts of any length", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 4 }), fc.integer({ min: 1, max: 9 }), async (items, length) => {
        const expected = JSON.parse(JSON.stringify(items));
        for (const value of [items, { about: "x", list: items }])
          expect(await all(readJsonItems(inParts(JSON.stringify(value, null, 1), length)))).toEqual(expected);
      }),
    );
  });

  test("reads the objects of lists in a list", async () => {
    const text = JSON.stringify([{ inner: [{ a: 1 }, { a: [{ b: 2 }] }] }, { inner: [{ a: 3 }] }]);
    expect(await all(readJsonItems(inParts(text, 5), 2))).toEqual([{ a: 1 }, { a: [{ b: 2 }] }, { a: 3 }]);
  });

  test.each(["", "[", '[{"a":1}', '[{"a":}]', '{"a":[{"b":1}}', "[}", '["open'])("refuses %j", async (text) => {
    await expect(all(readJsonItems(inParts(text, 3)))).rejects.toThrow(DamagedFile);
  });
});
