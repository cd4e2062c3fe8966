import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { importFile } from "../../../../lib/connectors/imports/import-file.ts";
import { IngestClient } from "../../../../lib/connectors/imports/sending/ingest-client.ts";
import { formatExamples, formatTotalsTable } from "../../../../lib/connectors/imports/sending/totals-table.ts";
import { API_KEY, FakeService, USER_ID } from "./fake-service.ts";
import { silent } from "./import-run.ts";
import { writeZip } from "./write-zip.ts";

const folder = mkdtempSync(join(tmpdir(), "apple-health-import-"));
let running: FakeService | undefined;
afterEach(() => running?.server.close());

async function start(): Promise<{ service: FakeService; baseUrl: string }> {
  running = new FakeService();
  return { service: running, baseUrl: await running.listen() };
}

function exportFile(name: string, ...elements: string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `<?xml version="1.0"?><HealthData locale="de_DE">${elements.join("\n")}</HealthData>`);
  return path;
}

const at = (second: number) =>
  `${new Date(Date.UTC(2024, 0, 1) + second * 1000).toISOString().slice(0, 19).replace("T", " ")} +0000`;
const record = (type: string, second: number, value: string, unit = "count/min", source = "Mia’s Apple Watch") =>
  `<Record type="HK${type}" sourceName="${source}" unit="${unit}" startDate="${at(second)}" endDate="${at(second + 1)}" value="${value}"/>`;
const heartRate = (second: number, bpm: string) => record("QuantityTypeIdentifierHeartRate", second, bpm);
const steps = (second: number, count: string, source: string) =>
  record("QuantityTypeIdentifierStepCount", second, count, "count", source);

async function run(path: string, baseUrl: string) {
  const target = { baseUrl, apiKey: API_KEY, userId: USER_ID };
  const ledger = await importFile(path, new IngestClient(target, 1), silent);
  const { read, derived, stored, updated, unchanged, rejected, leftOut, difference } = ledger;
  const reasons = { rejected: Object.fromEntries(rejected), leftOut: Object.fromEntries(leftOut) };
  return { ledger, totals: { read, derived, stored, updated, unchanged, ...reasons, difference } };
}

describe("importFile", () => {
  const mixed = () =>
    exportFile(
      "mixed.xml",
      `<ExportDate value="${at(0)}"/>`,
      '<Me HKCharacteristicTypeIdentifierDateOfBirth="1984-02-29"/>',
      heartRate(0, "60"),
      heartRate(5, "61"),
      heartRate(5, "62"),
      heartRate(5, "62"),
      heartRate(10, "999"),
      heartRate(15, ""),
      steps(0, "10", "Mia’s iPhone"),
      steps(0, "11", "Mia’s Apple Watch"),
      record("QuantityTypeIdentifierRestingHeartRate", 0, "50"),
      record("QuantityTypeIdentifierPhysicalEffort", 0, "5", "kcal/hr·kg"),
      record("CategoryTypeIdentifierSleepAnalysis", 20, "HKCategoryValueSleepAnalysisAsleepCore", ""),
      "<ClinicalRecord/>",
    );

  test("accounts for every record, with a reason for each one not stored", async () => {
    const { baseUrl } = await start();
    const { totals } = await run(mixed(), baseUrl);
    expect(totals).toEqual({
      read: 13,
      derived: 3,
      stored: 8,
      updated: 0,
      unchanged: 0,
      rejected: { value_out_of_range: 1 },
      leftOut: {
        "part of the profile": 1,
        "bad value": 1,
        "part of the day's activity": 1,
        "unmapped type HKQuantityTypeIdentifierPhysicalEffort": 1,
        "clinical record": 1,
        "second record of one source and start": 2,
      },
      difference: 0,
    });
  });

  test("waits for pending receipts", async () => {
    const { service, baseUrl } = await start();
    service.isSlow = true;
    const { totals } = await run(exportFile("one.xml", heartRate(0, "60")), baseUrl);
    expect(totals).toMatchObject({ stored: 1, difference: 0 });
  });

  test("stores nothing new when it runs again", async () => {
    const { baseUrl } = await start();
    await run(mixed(), baseUrl);
    const { totals } = await run(mixed(), baseUrl);
    expect(totals).toMatchObject({ stored: 0, updated: 0, unchanged: 8, difference: 0 });
  });

  test("sends historical batches, each with one source type, device and app", async () => {
    const { service, baseUrl } = await start();
    await run(mixed(), baseUrl);
    expect(
      service.bodies.map(({ provider, stage, source_type, app, resources }) => {
        return [provider, stage, source_type, app?.id, Object.keys(resources)];
      }),
    ).toEqual([
      ["apple_health_kit", "historical", "watch", "com.apple.health", ["heartrate", "steps", "hypnogram", "sleep"]],
      ["apple_health_kit", "historical", "phone", "com.apple.health", ["steps"]],
      ["apple_health_kit", "historical", "multiple_sources", undefined, ["activity"]],
      ["apple_health_kit", "historical", "phone", undefined, ["profile"]],
    ]);
  });

  test("stores the same data in any order of the requests, with the first of records that share an identity", {
    tags: "deep",
  }, async () => {
    const { service, baseUrl } = await start();
    const watch = (second: number, value: string, hardware: string) =>
      heartRate(second, value).replace("/>", ` device="&lt;&lt;HKDevice: 0x${second}&gt;, hardware:${hardware}&gt;"/>`);
    const workout = (device: string) =>
      `<Workout sourceName="Run" workoutActivityType="HKWorkoutActivityTypeRunning" startDate="${at(0)}" endDate="${at(60)}" device="${device}" duration="${device.length}" durationUnit="s"/>`;
    const path = exportFile(
      "many.xml",
      ...Array.from({ length: 10_500 }, (_, second) => heartRate(second, "60")),
      ...[0, 3, 10_400].flatMap((second) => [
        heartRate(second, "70"),
        watch(second, "80", "Watch7,1"),
        steps(second, "1", "App"),
      ]),
      workout("&lt;&lt;HKDevice: 0x1&gt;, hardware:A&gt;"),
      workout("&lt;&lt;HKDevice: 0x2&gt;, hardware:ABC&gt;"),
      '<ActivitySummary dateComponents="2024-01-01" activeEnergyBurned="300" activeEnergyBurnedUnit="kcal"/>',
      record("QuantityTypeIdentifierRestingHeartRate", 0, "50"),
    );
    const { totals } = await run(path, baseUrl);
    expect(totals).toMatchObject({ leftOut: { "second record of one source and start": 4 }, difference: 0 });
    const values = [...service.stored].flatMap(([key, text]) =>
      key.includes("heartrate") ? [JSON.parse(text).value] : [],
    );
    expect([values.filter((one) => one === 60).length, values.filter((one) => one === 80).length]).toEqual([10_500, 3]);
    expect(service.bodies.length).toBeGreaterThan(5);
    const shuffled = new FakeService();
    const url = await shuffled.listen();
    const headers = { "x-service-api-key": API_KEY };
    const half = Math.floor(service.bodies.length / 2);
    for (const sent of [...service.bodies.slice(half).reverse(), ...service.bodies.slice(0, half)])
      await fetch(`${url}/v2/ingest/${USER_ID}`, { method: "POST", headers, body: JSON.stringify(sent) });
    shuffled.server.close();
    expect(new Map([...shuffled.stored].sort())).toEqual(new Map([...service.stored].sort()));
    await run(path, baseUrl);
    expect(new Map([...shuffled.stored].sort())).toEqual(new Map([...service.stored].sort()));
  });

  test("splits records over requests at the record limit", { tags: "deep" }, async () => {
    const { service, baseUrl } = await start();
    const path = exportFile("long.xml", ...Array.from({ length: 25_000 }, (_, second) => heartRate(second, "60")));
    const { totals } = await run(path, baseUrl);
    expect(totals).toMatchObject({ read: 25_000, stored: 25_000, difference: 0 });
    const parts = service.bodies.filter(({ is_final }) => !is_final);
    expect(parts.map(({ resources }) => resources.heartrate?.length).sort()).toEqual([10_000, 10_000, 5_000]);
  });

  test("completes the history of each source once: with all records, or with its ends after all parts", {
    tags: "deep",
  }, async () => {
    const { service, baseUrl } = await start();
    // The service refuses the first and the last record.
    const all = Array.from({ length: 10_500 }, (_, second) => heartRate(second, second % 10_499 === 0 ? "999" : "60"));
    const path = exportFile("parts.xml", ...all.toReversed(), steps(7, "1", "App"), steps(5, "2", "App"));
    const { totals } = await run(path, baseUrl);
    expect(totals).toMatchObject({ read: 10_502, rejected: { value_out_of_range: 2 }, difference: 0 });
    const final = service.bodies.filter(({ is_final }) => is_final);
    const lengths = final.map(({ resources }) => Object.entries(resources).map(([name, list]) => [name, list.length]));
    expect(lengths.flat()).toEqual(
      expect.arrayContaining([
        ["heartrate", 2],
        ["steps", 2],
      ]),
    );
    const ends = final.find(({ resources }) => resources.heartrate?.length === 2)?.resources.heartrate ?? [];
    const starts = ends.map((record) => Date.parse((record as { timestamp: string }).timestamp));
    const second = (number: number) => Date.parse(at(number).replace(" ", "T").replace(" ", ""));
    expect(starts).toEqual([second(1), second(10_498)]);
    expect(service.bodies.slice(0, 2).map(({ is_final }) => is_final)).not.toContain(true);
    expect(service.bodies.at(-1)?.resources.heartrate).toHaveLength(2);
  });

  test("counts every record of a rejected request, including records that the service does not list", async () => {
    const { baseUrl } = await start();
    const path = exportFile("bad.xml", ...Array.from({ length: 150 }, (_, second) => heartRate(second, "999")));
    const { totals } = await run(path, baseUrl);
    const rejected = { value_out_of_range: 100, "reason not named": 50 };
    expect(totals).toMatchObject({ read: 150, stored: 0, rejected, difference: 0 });
  });

  test("counts records that the service accepts and then cannot store, once each", async () => {
    const { service, baseUrl } = await start();
    service.unstored.push({ resource: "heartrate", index: 0, reason: "too_dense" });
    const { totals, ledger } = await run(
      exportFile("late.xml", heartRate(0, "60"), heartRate(5, "999"), heartRate(9, "61")),
      baseUrl,
    );
    const rejected = { value_out_of_range: 1, too_dense: 1 };
    expect(totals).toMatchObject({ read: 3, stored: 1, rejected, difference: 0 });
    expect(formatExamples(ledger)).toContain("heartrate[0], request 1: ");
  });

  test("retries transient errors", async () => {
    const { service, baseUrl } = await start();
    service.faults.push({ status: 429, headers: { "retry-after": "0" } }, { status: 503 }, { status: 500 });
    const { totals } = await run(exportFile("one.xml", heartRate(0, "60")), baseUrl);
    expect(totals).toMatchObject({ stored: 1, difference: 0 });
    expect(service.faults).toEqual([]);
  });

  test("fails when the errors persist", async () => {
    const { service, baseUrl } = await start();
    for (let index = 0; index < 8; index++) service.faults.push({ status: 503 });
    await expect(run(exportFile("one.xml", heartRate(0, "60")), baseUrl)).rejects.toThrow(
      "does not accept requests: it responds with 503",
    );
  });

  test("formats the totals as a table", async () => {
    const { baseUrl } = await start();
    const lines = formatTotalsTable((await run(mixed(), baseUrl)).ledger).split("\n");
    expect(lines).toContainEqual(expect.stringMatching(/^Read +13$/));
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}value_out_of_range +1$/));
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  });
});

test("the first three rejected records of each reason are named with place, field and words", async () => {
  const { baseUrl } = await start();
  const words = "Expected a number from 10 to 400. Value, bpm after conversion.";
  const lineOf = (index: number) => `    heartrate[${index}], field value, request 1: ${words}`;
  const expected = ["First rejected records of each reason", "  value_out_of_range", ...[0, 1, 2].map(lineOf)];
  const bad = Array.from({ length: 5 }, (_, second) => heartRate(second, "999"));
  const whole = await run(exportFile("refused.xml", ...bad), baseUrl);
  expect(formatExamples(whole.ledger).split("\n")).toEqual(expected);
  const partly = await run(exportFile("partly.xml", ...bad, heartRate(9, "60")), baseUrl);
  expect(formatExamples(partly.ledger).split("\n")).toEqual(expected);
  expect(formatExamples((await run(exportFile("good.xml", heartRate(0, "60")), baseUrl)).ledger)).toBe("");
});

describe("the import command", () => {
  const command = async (environment: Record<string, string>, ...given: string[]) => {
    const env = { PATH: process.env.PATH ?? "", DATA_DIR: folder, ...environment };
    const result = promisify(execFile)(process.execPath, ["bin/tributary.ts", "import", ...given], { env });
    return result.then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
    );
  };

  test("imports for the demo user of the local service", { tags: "deep" }, async () => {
    const { baseUrl } = await start();
    const local = mkdtempSync(join(folder, "data-"));
    writeFileSync(
      join(local, "local.json"),
      JSON.stringify({ base_url: baseUrl, api_key: API_KEY, demo_user_id: USER_ID }),
    );
    const done = await command({ DATA_DIR: local }, exportFile("one.xml", heartRate(0, "60")));
    expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Stored +1$/m) });
    expect(done.stderr).not.toContain("\u001b");
  });

  test("exits with 1 and one clear line for invalid input", { tags: "deep" }, async () => {
    const { service, baseUrl } = await start();
    const path = exportFile("one.xml", heartRate(0, "60"));
    writeFileSync(join(folder, "other.xml"), "<html/>");
    const good = { TRIBUTARY_URL: baseUrl, TRIBUTARY_API_KEY: API_KEY };
    const cases: [environment: Record<string, string>, given: string[], message: string][] = [
      [good, [join(folder, "missing.zip"), "--user", USER_ID], "There is no file"],
      [good, [join(folder, "other.xml"), "--user", USER_ID], "not a known export"],
      [good, [path], "The user is missing"],
      [good, [path, "--user", "somebody"], "There is no user somebody"],
      [good, [path, "--user", USER_ID, "--key", "sk_us_wrong"], "does not accept the API key"],
      [{}, [path, "--user", USER_ID], "No local service is running"],
    ];
    const results = await Promise.all(cases.map(([environment, given]) => command(environment, ...given)));
    results.forEach(({ code, stderr, stdout }, index) => {
      expect([code, stderr]).toEqual([1, expect.stringContaining(cases[index]![2])]);
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(stdout).toBe("");
    });
    expect(service.bodies).toEqual([]);
  });

  test("exits with 1 after an import that met a damaged file, and names it", { tags: "deep" }, async () => {
    const { baseUrl } = await start();
    const xml = "<!DOCTYPE HealthData []><HealthData></HealthData>";
    const path = await writeZip(join(folder, "partly.zip"), {
      "export.xml": xml,
      "e.csv": "A,1\nB,2\nC,3\nD,4\nUnit,µV\n",
    });
    const words = [path, "--user", USER_ID, "--url", baseUrl, "--key", API_KEY];
    const { code, stdout, stderr } = await command({}, ...words);
    const named = "  e.csv: The electrocardiogram is incomplete.";
    expect([code, stdout]).toEqual([1, expect.stringContaining(named)]);
    expect(stderr.trim().split("\n")).toEqual(["Recognised: Apple Health export.", expect.stringMatching(/^Read /)]);
  });

  test("exits with 2 and the usage for wrong arguments", { tags: "deep" }, async () => {
    const usage = "Usage: tributary import [options] <export>";
    const [missing, unknown] = await Promise.all([command({}), command({}, "one.xml", "--usr", USER_ID)]);
    const suggestion = "error: unknown option '--usr'\n(Did you mean --user?)";
    expect(missing).toEqual({ code: 2, stdout: "", stderr: `error: missing required argument 'export'\n${usage}\n` });
    expect(unknown).toEqual({ code: 2, stdout: "", stderr: `${suggestion}\n${usage}\n` });
  });

  test("reports an unreachable address at once", { tags: "deep" }, async () => {
    const { service, baseUrl } = await start();
    await new Promise((resolve) => service.server.close(resolve));
    const path = exportFile("one.xml", heartRate(0, "60"));
    const failed = await command({}, path, "--user", USER_ID, "--url", baseUrl, "--key", API_KEY);
    expect(failed).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("does not accept requests: ECONNREFUSED"),
    });
  });
});
