// @module-tag share
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { chooseCount } from "../../support/depth.ts";
import { weaken } from "../../unit/erasure/races/weakened-conditions.ts";
import { CredentialsFixture } from "./credentials-fixture.ts";
import { RefreshTrace, refreshModel } from "./refresh-trace.ts";
import { replayTrace } from "./replay-trace.ts";

const RUNS = chooseCount(4, 100, 300);
/** Far more runs than any sabotage needs. */
const MOST_RUNS = 300;
/** A caller that waits for the lease looks again after this time, in ms. A run needs no real time for it. */
const LOOKS_AGAIN_MS = 100;

let fixture: CredentialsFixture;
beforeAll(async () => {
  fixture = await CredentialsFixture.open();
});
afterAll(() => fixture.close());
beforeEach(() => {
  const { setTimeout } = globalThis;
  const soon = (run: () => void, ms?: number) => setTimeout(run, ms === LOOKS_AGAIN_MS ? 0 : ms);
  vi.spyOn(globalThis, "setTimeout").mockImplementation(soon as never);
});
afterEach(() => void vi.restoreAllMocks());

const replay = async (seed: number) => replayTrace(refreshModel, await new RefreshTrace(seed, fixture).run());

test("the model of a token refresh allows each step of the real callers", { timeout: 1_800_000 }, async () => {
  let steps = 0;
  for (let seed = 1; seed <= RUNS; seed++) {
    const result = await replay(seed);
    expect(result.refused, `seed ${seed}`).toBe(undefined);
    steps += result.steps;
  }
  expect(steps).toBeGreaterThan(10 * RUNS);
});

describe("the model refuses a store that", { tags: "deep" }, () => {
  test.each([
    ["lends a lease twice", "SET lease_until", " AND (attribute_not_exists(lease_until) OR lease_until <= :now)"],
    ["lends a lease for former credentials", "SET lease_until", "version = :version AND "],
    ["ends the lease of another caller", "REMOVE lease_until", " AND lease_until = :until"],
  ])("%s", async (_, begin, part) => {
    fixture.tamper = (item) => (item.Update?.UpdateExpression?.startsWith(begin) ? weaken(item, part) : item);
    let refused: string | undefined;
    try {
      for (let seed = 1; refused === undefined && seed <= MOST_RUNS; seed++) refused = (await replay(seed)).refused;
    } finally {
      fixture.tamper = (item) => item;
    }
    expect(refused).toContain("REFUSED");
  });
});
