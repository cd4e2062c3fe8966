import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importFile } from "../../../../lib/connectors/imports/import-file.ts";
import { IngestClient } from "../../../../lib/connectors/imports/sending/ingest-client.ts";
import type { IngestBody } from "../../../../lib/connectors/imports/sending/request-builder.ts";
import { type ExportTruth, generateExport } from "../../../support/apple-health-export/generate-export.ts";
import { TestService } from "../../../support/service.ts";

const directory = mkdtempSync(join(tmpdir(), "tributary-import-"));
const file = join(directory, "export.zip");
const silent = {
  recognised: () => undefined,
  reading: () => undefined,
  read: () => undefined,
  storing: () => undefined,
};
const HEART_RATE = "HKQuantityTypeIdentifierHeartRate";

let service: TestService;
let truth: ExportTruth;
beforeAll(async () => {
  service = await TestService.start();
  truth = await generateExport({
    path: file,
    records: 4_000,
    seed: 11,
    endDate: "2026-03-01",
    zip: true,
    keepTruth: true,
  });
});
afterAll(async () => {
  await service.stop();
  rmSync(directory, { recursive: true });
});

/** Runs the command as on a terminal. */
function runImport(userId: string) {
  const flags = ["--user", userId, "--url", service.baseUrl, "--key", service.identity.api_key];
  return promisify(execFile)(process.execPath, ["bin/tributary.ts", "import", file, ...flags]);
}

async function stored(userId: string) {
  const path = `/v2/timeseries/${userId}/heartrate/grouped?start_date=2000-01-01`;
  const groups: { source: { type: string }; data: { start: string; value: number }[] }[][] = Object.values(
    (await service.call("GET", path)).body.groups,
  );
  return groups.flat().flatMap(({ source, data }) => data.map((sample) => ({ ...sample, source: source.type })));
}

test("an export of the phone is imported unchanged, and a second import changes nothing", {
  tags: "deep",
}, async () => {
  const userId = await service.createUser("phone owner");
  const first = await runImport(userId);
  expect(`${first.stdout}${first.stderr}`).toContain("Stored");
  const samples = await stored(userId);
  const given = (truth.samples?.[HEART_RATE] ?? []).filter(({ value }) => Number(value) > 0);
  const keyOf = (start: number, source: string) => `${start} ${source}`;
  const valuesAt = Map.groupBy(given, ({ start, source }) => keyOf(start, source));
  expect(samples).toHaveLength(valuesAt.size);
  for (const { start, source, value } of samples) {
    const expected = valuesAt.get(keyOf(Date.parse(start), source)) ?? [];
    expect(expected.map((one) => Number(one.value))).toContain(value);
  }
  await runImport(userId);
  expect(await stored(userId)).toEqual(samples);
});

/** Everything that an import stored, without ids and times of storage. */
async function storedData(userId: string) {
  const range = "start_date=2000-01-01&end_date=2026-12-31";
  const reads = ["sleep", "workouts", "activity"].map(async (kind) => {
    const { body } = await service.call("GET", `/v2/summary/${kind}/${userId}?${range}`);
    return Object.values<Record<string, unknown>[]>(body).flat();
  });
  const summaries = (await Promise.all(reads)).flat();
  const fields = summaries.map(({ id, user_id, created_at, updated_at, ...rest }) => JSON.stringify(rest));
  const pages = ["heartrate", "steps", "hypnogram"].map(async (resource) => {
    const { body } = await service.call("GET", `/v2/timeseries/${userId}/${resource}/grouped?${range}`);
    const groups: { source: object; data: object[] }[] = Object.values<{ source: object; data: object[] }[]>(
      body.groups,
    ).flat();
    return groups.flatMap(({ source, data }) => data.map((sample) => JSON.stringify({ resource, source, sample })));
  });
  return [...fields, ...(await Promise.all(pages)).flat()].sort();
}

test("the requests of an import store the same data in any order", { tags: "deep" }, async () => {
  const bodies: IngestBody[] = [];
  const client = {
    check: async () => undefined,
    send: async (body: IngestBody) => ({ receiptId: `${bodies.push(body)}`, rejected: [], unlisted: 0, dropped: [] }),
    receipt: async () => ({ status: "done", stored: 0, updated: 0, unchanged: 0, rejected: [] }),
  } as unknown as IngestClient;
  await importFile(file, client, silent);
  expect(bodies.length).toBeGreaterThan(4);
  const results: string[][] = [];
  for (const order of [bodies, [...bodies.toReversed(), ...bodies.slice(0, 2)]]) {
    const userId = await service.createUser(`import order ${results.length}`);
    for (const { json } of order) {
      await service.call("POST", `/v2/ingest/${userId}`, { body: JSON.parse(json) });
      // Some requests are stored one by one, some together.
      if (results.length === 1) await service.settle();
    }
    await service.settle();
    results.push(await storedData(userId));
  }
  expect(results[0]?.length).toBeGreaterThan(100);
  expect(results[1]).toEqual(results[0]);
});

test("an import in several requests announces the history of a resource once, with its whole range", {
  tags: "deep",
}, async () => {
  const userId = await service.createUser("long history");
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
  const records = Array.from({ length: 10_500 }, (_, minute) => {
    const time = at(minute).replace("T", " ").replace(/\..*/, " +0000");
    return `<Record type="${HEART_RATE}" sourceName="Watch" unit="count/min" startDate="${time}" endDate="${time}" value="60"/>`;
  });
  const path = join(directory, "long.xml");
  writeFileSync(path, `<HealthData locale="en_US">${records.join("\n")}</HealthData>`);
  const target = { baseUrl: service.baseUrl, apiKey: service.identity.api_key, userId };
  const totals = await importFile(path, new IngestClient(target), silent);
  expect([totals.stored, totals.unchanged, totals.difference]).toEqual([10_500, 0, 0]);
  const events = (await service.inbox("historical.data.heartrate.created")).filter(
    ({ body }) => body.user_id === userId,
  );
  expect(events.map(({ body }) => body.data)).toEqual([
    expect.objectContaining({ start_date: at(0), end_date: at(10_499) }),
  ]);
});

test("an invalid key ends with one line and exit code 1", async () => {
  const userId = await service.createUser("nobody's phone");
  const flags = ["--user", userId, "--url", service.baseUrl, "--key", "sk_us_wrong"];
  const run = promisify(execFile)(process.execPath, ["bin/tributary.ts", "import", file, ...flags]);
  const failure = await run.then(
    () => undefined,
    (error: { code: number; stderr: string }) => error,
  );
  expect(failure?.code).toBe(1);
  expect(failure?.stderr.trim().split("\n")).toHaveLength(1);
});
