import { expect, test } from "vitest";
import { simulate } from "../../simulation/simulation.ts";

/** `npm run simulate` takes more, and any seed. */
const EVENTS = 200;
const SEED = 20_290_701;

test(`of about ${EVENTS} events nothing is lost, wrong or badly signed while everything errs (npm run simulate -- --events ${EVENTS} --seed ${SEED})`, {
  timeout: 600_000,
}, async () => {
  const result = await simulate({ seed: SEED, events: EVENTS });
  expect(result).toMatchObject({
    lost: [],
    feed: [],
    notStored: [],
    wrongLastReceived: [],
    wrongHighestVersion: [],
    overtaken: 0,
    badSignatures: 0,
  });
  expect(result.events).toBeGreaterThan(EVENTS / 2);
  // Faults, deaths, duplicates and errors of the receiver there were.
  expect(result.struck).toBeGreaterThan(EVENTS);
  expect(result.requests).toBeGreaterThan(result.events);
  expect([result.deaths, result.duplicates, result.delayed].filter((count) => count === 0)).toEqual([]);
});
