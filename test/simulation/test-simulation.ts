import { expect, test } from "vitest";
import { runSimulation } from "./run-simulation.ts";

/** Registers the test that every event of a seed arrives. `npm run simulate` runs larger numbers. */
export function testSimulation(events: number, seed: number): void {
  const command = `npm run simulate -- --events ${events} --seed ${seed}`;
  test(`of about ${events} events none is lost, wrong or badly signed while every part fails (${command})`, {
    timeout: 900_000,
  }, async () => {
    const result = await runSimulation({ seed, events });
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
    // The simulation injected faults, crashes, duplicates and receiver errors.
    expect(result.injectedFailures).toBeGreaterThan(events);
    expect(result.requests).toBeGreaterThan(result.events);
    expect([result.deaths, result.duplicates, result.delayed].filter((count) => count === 0)).toEqual([]);
  });
}
