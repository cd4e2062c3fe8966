import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { sampleFiles } from "../../../unit/connectors/imports/sample-files.ts";
import { writeZip } from "../../../unit/connectors/imports/write-zip.ts";

const directory = mkdtempSync(join(tmpdir(), "tributary-imports-"));
let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(async () => {
  await service.stop();
  rmSync(directory, { recursive: true });
});

test("a zip with a file of every kind of every format is imported, and a second import changes nothing", {
  tags: "deep",
}, async () => {
  const files = Object.fromEntries(Object.values(sampleFiles).flatMap((kinds) => Object.values(kinds)));
  const path = await writeZip(join(directory, "all.zip"), files);
  const userId = await service.createUser("owner of all devices");
  const run = async () => {
    const words = ["import", path, "--user", userId, "--url", service.baseUrl, "--key", service.identity.api_key];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ["bin/tributary.ts", ...words, "--json"]);
    expect(stderr).toMatch(/^Recognised: Apple Health export, Garmin .* WHOOP export\.$/m);
    return JSON.parse(stdout);
  };
  const first = await run();
  expect(first).toMatchObject({ difference: 0, rejected: {}, dropped_fields: {}, damaged_files: [], unchanged: 0 });
  expect(first.stored).toBeGreaterThan(50);
  expect(await run()).toMatchObject({ difference: 0, stored: 0, updated: 0, unchanged: first.stored });
  await service.settle();
  const range = "start_date=2020-01-01&end_date=2026-12-31";
  const { workouts } = (await service.call("GET", `/v2/summary/workouts/${userId}?${range}`)).body;
  const providers = workouts.map(({ source }: { source: { provider: string } }) => source.provider);
  expect([...new Set(providers)].sort()).toEqual([
    "fitbit",
    "garmin",
    "google_fit",
    "oura",
    "samsung_health",
    "whoop_v2",
  ]);
});
