// @module-tag share
import { afterAll, beforeAll, expect, test } from "vitest";
import { isDeep } from "../support/depth.ts";
import type { History } from "./operation.ts";
import { plantedFaults } from "./planted-faults.ts";
import { askPorcupine, buildPorcupine } from "./porcupine-verdict.ts";
import { recordHistories } from "./record-histories.ts";
import { describeHistory, isRefused, shrinkRefused } from "./refused-history.ts";
import { ServiceFixture } from "./service-fixture.ts";

/** More seeds than any planted fault needs. */
const SEEDS = 400;

let service: ServiceFixture;
beforeAll(async () => {
  service = await ServiceFixture.open();
});
afterAll(() => service.close());

const chosen = plantedFaults.filter((_, place) => isDeep || place === 0);
test.each(chosen)("histories show that $name", { timeout: 600_000 }, async ({ workload, plant }) => {
  let refused: History | undefined;
  const histories: History[] = [];
  for (let seed = 3; !refused && seed < 3 * SEEDS; seed += 3) {
    service.gate.intervene = plant();
    histories.push(...(await recordHistories(service, workload, seed)));
    refused = histories.find(isRefused);
  }
  service.gate.intervene = (command, send) => send(command);
  const shrunk = refused && shrinkRefused(refused);
  if (process.env.SHOW_HISTORIES) process.stdout.write(`${shrunk && describeHistory(shrunk)}\n`);
  expect(shrunk && isRefused(shrunk)).toBe(true);
  expect(shrunk?.operations.length).toBeLessThanOrEqual(refused?.operations.length ?? 0);
  if (!isDeep) return;
  const all = [...histories, ...(shrunk ? [shrunk] : [])];
  expect(askPorcupine(buildPorcupine(), all)).toEqual(all.map((history) => !isRefused(history)));
});
