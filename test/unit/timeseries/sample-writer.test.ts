import fc from "fast-check";
import { expect, test } from "vitest";
import { formatInstant } from "../../../lib/domain/shared/instant.ts";
import { decodeColumns, encodeChunk } from "../../../lib/domain/timeseries/chunk/codec.ts";
import { InstantWriter } from "../../../lib/domain/timeseries/instant-writer.ts";
import { timeseriesResources } from "../../../lib/domain/timeseries/resources.ts";
import { SampleWriter } from "../../../lib/domain/timeseries/sample-writer.ts";
import { toWireSample } from "../../../lib/domain/timeseries/wire-sample.ts";
import { anyChunk } from "./chunk/arbitrary-chunks.ts";

const instants = fc.array(fc.integer({ min: Date.UTC(1900), max: Date.UTC(2999) }), { maxLength: 20 });

test("instants in any order are written as formatted one by one", () => {
  fc.assert(
    fc.property(instants, (all) => {
      const writer = new InstantWriter();
      expect(all.map((ms) => writer.write(ms))).toEqual(all.map(formatInstant));
    }),
    { numRuns: 500 },
  );
});

/** Whether the year has four digits, as in every stored sample. */
const isPlausible = (ms: number | undefined) => ms === undefined || (ms > Date.UTC(1900) && ms < Date.UTC(2999));

test.each(timeseriesResources)(
  "samples of $name are written as the JSON of wire samples",
  { tags: "deep" },
  (resource) => {
    fc.assert(
      fc.property(anyChunk, ({ samples, runs }) => {
        const chunk = { runs, samples: samples.filter(({ start, end }) => isPlausible(start) && isPlausible(end)) };
        const columns = decodeColumns(encodeChunk(chunk));
        const writer = new SampleWriter(resource);
        for (const [index, sample] of chunk.samples.entries()) {
          const text = writer.write(columns, index);
          expect(text).toBe(JSON.stringify(toWireSample(resource, sample)));
          const escaped = Buffer.byteLength(JSON.stringify(text)) - 2;
          expect(text.length + writer.escapes).toBeGreaterThanOrEqual(escaped);
          expect(text.length + writer.escapes).toBeLessThanOrEqual(escaped + 4);
        }
      }),
      { numRuns: 20 },
    );
  },
);
