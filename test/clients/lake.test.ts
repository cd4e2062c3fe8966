import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lakeTable } from "../../lib/domain/lake/lake-tables.ts";
import { createHeartRates, ingestBatch } from "../local/service/ingest/ingest-batch.ts";
import { lakePath } from "../local/service/lake/lake-files.ts";
import { TestService } from "../support/service.ts";
import { testSettings } from "../support/test-settings.ts";

const PYTHON = "node_modules/.cache/public-clients/python/bin/python";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start(undefined, testSettings.lake);
  await service.manage("POST", lakePath(service), { body: { enabled: true } });
});
afterAll(() => service.stop());

/** Reads the samples of a user with pyiceberg, from metadata, manifests and data files over HTTP. */
async function readWithPyiceberg(userId: string) {
  const { body } = await service.manage("GET", lakePath(service));
  const { metadata_location } = body.tables.find((table: { name: string }) => table.name === "samples");
  const { origin, accessKeyId } = service.cloud.s3;
  const reader = spawn(PYTHON, ["test/clients/read_lake.py", metadata_location, origin, accessKeyId, userId]);
  const [out, error, [status]] = await Promise.all([text(reader.stdout), text(reader.stderr), once(reader, "exit")]);
  if (status !== 0) throw new Error(error.trim().split("\n").slice(-3).join("\n"));
  return JSON.parse(out);
}

test("pyiceberg reads the table of samples after appends, a merge of files and an erasure", async () => {
  const [userId, erased] = [await service.createUser("stays"), await service.createUser("goes")];
  for (const id of [erased, userId]) {
    await ingestBatch(service, id, { heartrate: createHeartRates("2026-05-01T23:00:00Z", 3_600) });
    await ingestBatch(service, id, { heartrate: createHeartRates("2026-05-02T02:00:00Z", 1_800) });
  }
  const appended = await readWithPyiceberg(userId);
  expect(appended.fields).toEqual(lakeTable("samples").columns.map(({ name }) => name));
  expect(appended).toMatchObject({ partition: ["day"], snapshots: 4, rows: 10_800, files_of_day: 2 });
  expect(appended.samples).toHaveLength(5_400);
  expect(appended.samples[0][0]).toBe("2026-05-01T23:00:00.000+00:00");
  await service.advance(3 * 60 * 60_000);
  expect(await readWithPyiceberg(userId)).toMatchObject({ rows: 10_800, files_of_day: 1, samples: appended.samples });
  await service.call("DELETE", `/v2/user/${erased}`);
  await service.advance(7 * 24 * 60 * 60_000 + 60_000);
  expect(await readWithPyiceberg(userId)).toMatchObject({ rows: 5_400, samples: appended.samples });
});
