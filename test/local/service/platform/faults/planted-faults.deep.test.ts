// @module-tag deep
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { plantedFaults } from "../../../../simulation/planted/planted-faults.ts";

/** Defects that do not need a certain order of calls, so that every seed finds them. */
const ofEverySeed = plantedFaults.slice(0, 3).map(({ name }) => name);

test.each(ofEverySeed)("a simulation fails if %s", (fault) => {
  const options = ["simulate", "--events", "40", "--seed", "2", "--fault", fault];
  const { status, stdout } = spawnSync(process.execPath, ["bin/tributary.ts", ...options], { encoding: "utf8" });
  expect(stdout).not.toContain("0 lost, 0 wrong, 0 bad signatures.");
  expect(status).toBe(1);
});
