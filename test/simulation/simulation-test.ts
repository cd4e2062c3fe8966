import { expect, test } from "vitest";
import { simulate } from "./simulation.ts";

/** Registers the test that events of a seed all come through, as `npm run simulate` has more of them do. */
export function testSimulation(events: number, seed: number): void {
  const command = `npm run simulate -- --events ${events} --seed ${seed}`;
  test(`of about ${events} events nothing is lost, wrong or badly signed while everything errs (${command})`, {
    timeout: 900_000,
  }, async () => {
    const result = await simulate({ seed, events });
    expect(result).toMatchObject({
      lost: [],
      feed: [],
      notStored: [],
      wrongLastReceived: [],
      wrongHighestVersion: [],
      overtaken: 0,
      badSignatures: 0,
    });
    expect(result.events).toBeGreaterThan(events / 2);
    // Faults, deaths, duplicates and errors of the receiver there were.
    expect(result.injectedFailures).toBeGreaterThan(events);
    expect(result.requests).toBeGreaterThan(result.events);
    expect([result.deaths, result.duplicates, result.delayed].filter((count) => count === 0)).toEqual([]);
  });
}
