// @module-tag deep
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contracts } from "../../functions/index.ts";
import { bundleFunctions, FUNCTION_CACHE } from "../../lib/build/bundle.ts";

const directory = mkdtempSync(join(tmpdir(), "asset-budgets-"));

/** Files and bytes of the asset of a function. */
interface Asset {
  readonly operationId: string;
  readonly files: number;
  readonly bytes: number;
  /** Bytes of the module that loads at a cold start. */
  readonly entryBytes: number;
}

const assets: Asset[] = [];
beforeAll(async () => {
  await bundleFunctions(directory, FUNCTION_CACHE);
  for (const { operationId } of contracts) {
    const names = readdirSync(join(directory, operationId));
    const size = (name: string) => statSync(join(directory, operationId, name)).size;
    const bytes = names.reduce((sum, name) => sum + size(name), 0);
    assets.push({ operationId, files: names.length, bytes, entryBytes: size("index.mjs") });
  }
}, 300_000);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const KB = 1024;

/** The value below which a share of the values lies. */
function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}

/** Functions that contain large data or packages, and the most kilobytes that their assets may have. */
const families: readonly (readonly [family: string, operations: RegExp, kilobytes: number])[] = [
  ["the reader of lab reports", /^parseLabReport$/, 8_500],
  ["documents", /Pdf$/, 2_500],
  ["forwarders to brokers", /^forwardToTeam$/, 2_300],
  ["places, zip codes and time zones", /Appointment|^simulateOrderProcess$|PscInfo$|^getAreaInfo$/, 1_350],
  ["codes to photograph", /^createPhoneCode$/, 1_300],
  ["the OpenAPI document", /^getOpenApi$/, 2_000],
  ["simulated providers with their connectors", /^connectDemoProvider$/, 1_350],
  ["the API reference with its renderer", /^getApiReference$/, 1_450],
];

/** Functions that return the files of pages, and have each beside them. */
const PAGES = /^get(Link|Portal|Review)File$|^getApiReference$/;

describe("assets of functions", () => {
  test("have few bytes", () => {
    const bytes = assets.map((asset) => asset.bytes);
    expect(quantile(bytes, 0.5)).toBeLessThan(MEDIAN_BYTES);
    expect(quantile(bytes, 0.9)).toBeLessThan(P90_BYTES);
    const entries = assets.map((asset) => asset.entryBytes);
    expect(quantile(entries, 0.5)).toBeLessThan(MEDIAN_BYTES);
    expect(quantile(entries, 0.9)).toBeLessThan(450 * KB);
  });

  test("have few files: one module, and what it loads lazily or reads", () => {
    const files = assets.filter(({ operationId }) => !PAGES.test(operationId)).map((asset) => asset.files);
    expect([quantile(files, 0.5), quantile(files, 0.9)]).toEqual([1, 2]);
    expect(Math.max(...files)).toBeLessThanOrEqual(25);
    expect(assets.find(({ operationId }) => operationId === "getUser")?.files).toBe(1);
  });

  test.each(families)("of the family: %s", (_, operations, kilobytes) => {
    const own = assets.filter(({ operationId }) => operations.test(operationId));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter(({ bytes }) => bytes > kilobytes * KB)).toEqual([]);
  });

  test("of no family stay small", () => {
    const others = assets.filter(({ operationId }) => !families.some(([, operations]) => operations.test(operationId)));
    expect(others.length).toBeGreaterThan(200);
    expect(others.filter(({ bytes }) => bytes > OTHER_KILOBYTES * KB)).toEqual([]);
  });

  /** Texts of the SDK's ways to credentials other than the environment. */
  const otherWays = ["AssumeRole", "sso_session", "credential_process", "169.254.169.254", "AWS_CONTAINER_CREDENTIALS"];

  test.each([...otherWays, "AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE"])(
    "take credentials and settings from the environment alone: without %s",
    { tags: "deep", timeout: 300_000 },
    (text) => {
      const modules = contracts.map(({ operationId }) => join(directory, operationId, "index.mjs"));
      expect(modules.filter((file) => readFileSync(file, "utf8").includes(text))).toEqual([]);
    },
  );
});

/** The largest values that the assets may have. They fall with the assets; docs/performance.md has the targets. */
const [MEDIAN_BYTES, P90_BYTES, OTHER_KILOBYTES] = [298 * KB, 945 * KB, 1_250];
