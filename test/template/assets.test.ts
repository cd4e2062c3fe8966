import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contracts } from "../../functions/index.ts";
import { bundle } from "../../lib/build/bundle.ts";

const directory = mkdtempSync(join(tmpdir(), "assets-"));
beforeAll(() => bundle(directory), 60_000);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test("what checks events in tests and locally is built, and in no function that is deployed", () => {
  const shared = globSync(join(directory, "shared/**/*.mjs"));
  const checking = shared.filter((file) => readFileSync(file, "utf8").includes("is not in the catalogue of events"));
  expect(checking).toHaveLength(1);
  const deployed = contracts.flatMap(({ operationId }) => globSync(join(directory, operationId, "**/*.mjs")));
  expect(deployed.length).toBeGreaterThan(contracts.length);
  expect(deployed.filter((file) => basename(file) === basename(checking[0] ?? ""))).toEqual([]);
});
