import { expect, test } from "vitest";
import { toWireSource } from "../../../lib/domain/connections/sources/source.ts";
import { chunkToColumns } from "../../../lib/domain/timeseries/chunk/chunk-columns.ts";
import { buildChunk } from "../../../lib/domain/timeseries/chunk/runs.ts";
import { getResource } from "../../../lib/domain/timeseries/resources.ts";
import { MAX_PAGE_BYTES } from "../../../lib/runtime/http/answer-size.ts";
import { SamplePage } from "../../../lib/services/timeseries/sample-page.ts";
import type { ChunkSlice } from "../../../lib/store/timeseries/chunk-slice.ts";

const heartrate = getResource("heartrate");
const columns = chunkToColumns(
  buildChunk([
    {
      sample: { start: Date.UTC(2026, 4, 1), value: 60, offsetS: null, type: null },
      run: { receivedAt: 0, batchId: "b", verb: "created" },
    },
  ]),
);
const sliceOf = (deviceId: string | null): ChunkSlice => {
  return { sk: "", provider: "oura", sourceType: "ring", deviceId, appId: null, columns, from: 0, to: 1 };
};

/**
 * Fills a page with one sample of each device.
 * @returns the numbers of samples and groups, and the bytes in a Lambda response.
 */
function fill(deviceOf: (index: number) => string | null, count: number) {
  const page = new SamplePage(heartrate, ({ deviceId: device_id }) =>
    toWireSource({ provider: "oura", type: "ring", device_id }, "https://api.example.com"),
  );
  let added = 0;
  while (added < count && page.add(sliceOf(deviceOf(added)), 0) === 1) added++;
  const text = page.groups();
  return { added, groups: JSON.parse(text).oura.length, bytes: Buffer.byteLength(JSON.stringify(text)) };
}

test("a page with a sample of each of many devices stays below the limit, however long their ids are", () => {
  const { added, bytes } = fill((index) => `${index} `.padEnd(256, '"'), 20_000);
  expect(added).toBeGreaterThan(1_000);
  expect(added).toBeLessThan(20_000);
  expect(bytes).toBeLessThan(MAX_PAGE_BYTES * 1.05);
});

test("samples of one source and recorder share a group", () => {
  const devices = [null, "a", "b", "a"];
  expect(fill((index) => devices[index % 4] ?? null, 100)).toMatchObject({ added: 100, groups: 3 });
});
