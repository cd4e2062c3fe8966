import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { formats } from "../../../../lib/connectors/imports/formats.ts";
import { InputError } from "../../../../lib/connectors/imports/reading/input-error.ts";
import type { SourceFile } from "../../../../lib/connectors/imports/reading/source-file.ts";
import { recogniseFiles } from "../../../../lib/connectors/imports/recognise.ts";
import { importTwice } from "./import-run.ts";
import { type SampleFile, sampleFiles } from "./sample-files.ts";

const all = Object.entries(sampleFiles).flatMap(([title, kinds]) =>
  Object.entries(kinds).map(([kind, file]) => ({ title, kind, file })),
);

const toSource = ([path, content]: SampleFile): SourceFile => {
  const bytes = Buffer.from(content);
  return { path, size: bytes.length, open: () => Readable.from([bytes]) };
};

test("there is a sample of every kind of every format", () => {
  const kinds = formats.map(({ title, kinds }) => [title, kinds.map(({ name }) => name).sort()]);
  expect(Object.entries(sampleFiles).map(([title, files]) => [title, Object.keys(files).sort()])).toEqual(kinds);
});

test("all files together are recognised as what they are", async () => {
  const sources = new Map(all.map((one) => [toSource(one.file), `${one.title}: ${one.kind}`]));
  const { known, others } = await recogniseFiles([...sources.keys()], formats);
  expect(others).toEqual([]);
  for (const { file, format, kind } of known)
    expect(`${format.title}: ${format.kinds[kind]?.name}`).toBe(sources.get(file));
  const order = known.map(({ format, kind }) => formats.indexOf(format) * 1_000 + kind);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
});

test("an import of all formats at once sends each record with its provider, and nothing is refused", {
  tags: "deep",
}, async () => {
  const { first, second, bodies } = await importTwice(Object.fromEntries(all.map(({ file }) => file)));
  expect([...first.rejected, ...first.dropped, ...first.damaged]).toEqual([]);
  expect(first.difference).toBe(0);
  expect(second).toMatchObject({ stored: 0, updated: 0, unchanged: first.stored });
  expect(new Set(bodies.map(({ provider }) => provider))).toEqual(new Set(formats.map(({ provider }) => provider)));
  const sent = new Set(bodies.flatMap(({ resources }) => Object.keys(resources)));
  const declared = new Set(formats.flatMap(({ kinds }) => kinds.flatMap(({ resources }) => resources)));
  expect([...sent].filter((resource) => !declared.has(resource))).toEqual([]);
});

test.each(all.filter(({ kind }) => !/gpx|binning/.test(kind)))("$title, $kind alone is imported", async ({ file }) => {
  const { first } = await importTwice({ [file[0]]: file[1] }, false, { zone: "Asia/Tokyo" });
  expect(first.difference).toBe(0);
  expect(first.rejected.size).toBe(0);
  expect(first.read).toBeGreaterThan(0);
});

describe("a damaged file", () => {
  test.each(all)(
    "$title, $kind: every cut and change is imported in part or refused in one line",
    { tags: "deep" },
    async ({ file }) => {
      const bytes = Buffer.from(file[1]);
      const changed = [...[0.2, 0.5, 0.8, 0.97].map((part) => bytes.subarray(0, Math.floor(part * bytes.length)))];
      for (const part of [0.3, 0.6, 0.9]) {
        const other = Buffer.from(bytes);
        other[Math.floor(part * bytes.length)] = 0x22;
        changed.push(other);
      }
      for (const content of changed) {
        const outcome = await importTwice({ [file[0]]: content }, false, { zone: "UTC" }).catch(
          (error: unknown) => error,
        );
        if (outcome instanceof Error) {
          expect(outcome).toBeInstanceOf(InputError);
          expect(outcome.message).not.toContain("\n");
        } else expect(outcome).toMatchObject({ first: { difference: 0 }, second: { difference: 0, stored: 0 } });
      }
    },
  );
});

test.each([
  ["empty", ""],
  ["a text", "hello, world\n"],
  ["another CSV file", "date,temperature\n2024-05-01,20\n"],
  ["another JSON file", '{"steps": 12}'],
  ["another XML file", '<?xml version="1.0"?><html/>'],
  ["a picture", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")],
])("%s is refused with the known formats", async (_, content) => {
  const refused = importTwice({ "file.bin": content }, false);
  await expect(refused).rejects.toThrow(/^This is not a known export\. Known are: Apple Health export, Garmin/);
});
