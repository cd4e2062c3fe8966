// @module-tag share
import { afterAll, beforeAll, expect, test } from "vitest";
import { chooseCount, isDeep } from "../../../support/depth.ts";
import { RelayFixture } from "./relay-fixture.ts";
import { RelayRace } from "./relay-race.ts";

const RUNS = chooseCount(5, 50, 100);

let stage: RelayFixture;
beforeAll(async () => {
  stage = await RelayFixture.open();
});
afterAll(() => stage.close());

test("every published event gets exactly one sequence without gaps, despite faults in relay, sweeper and erasure", {
  timeout: 1_800_000,
}, async () => {
  const steps = new Set<string>();
  for (let seed = 1; seed <= RUNS; seed++) {
    const race = new RelayRace(seed, stage);
    await race.run();
    if (race.broken.length > 0) throw new Error([`seed ${seed}:`, ...race.broken, ...race.trace].join("\n"));
    for (const step of race.trace) steps.add(step.replace(/^\w+( [\w-]+)?: /, ""));
  }
  const struck = [...steps].filter((step) => step.endsWith("lost)")).map((step) => step.split(" ")[0]);
  const requests = [
    "BatchGetCommand",
    "DeleteCommand",
    "GetCommand",
    "PutCommand",
    "PutEvents",
    "QueryCommand",
    "TransactWriteCommand",
    "UpdateCommand",
  ];
  // A short run strikes most of them.
  expect(requests).toEqual(expect.arrayContaining([...new Set(struck)]));
  if (isDeep) expect(new Set(struck)).toEqual(new Set(requests));
});
