// @module-tag deep
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** Runs the command in its own process, because an ordered simulation changes clock and randomness of its process. */
async function simulate(seed: number): Promise<{ trace: string; report: string }> {
  const file = join(mkdtempSync(join(tmpdir(), "tributary-trace-")), "trace");
  const options = ["simulate", "--events", "20", "--seed", String(seed), "--trace", file];
  const { stdout } = await promisify(execFile)(process.execPath, ["bin/tributary.ts", ...options]);
  return { trace: readFileSync(file, "utf8"), report: stdout.replace(/\d+ s of CPU/, "") };
}

test.each([1, 2])("seed %i gives the same calls, faults and answers twice (npm run simulate)", async (seed) => {
  const [first, second] = [await simulate(seed), await simulate(seed)];
  expect(second.report).toContain("0 lost, 0 wrong, 0 bad signatures.");
  expect(second).toEqual(first);
  expect(first.trace.split("\n").length).toBeGreaterThan(500);
});
