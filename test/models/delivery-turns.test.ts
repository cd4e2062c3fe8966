// @module-tag share
import { describe, expect, test } from "vitest";
import { chooseCount } from "../support/depth.ts";
import { deliveryTurns } from "./delivery-turns.ts";
import { exploreModel } from "./explore-model.ts";
import { EXPLORATION, expectToBreak, expectToHold } from "./model-checks.ts";
import type { Condition, TurnsSize } from "./turns-size.ts";

/** States of a model that a test visits: of one start many, of the others fewer. The whole model has more. */
const [MOST_STATES, STATES] = [chooseCount(30_000, 1_000_000, 10_000_000), chooseCount(30_000, 200_000, 500_000)];

describe("the invariants of delivery turns hold", () => {
  const starts: [string, Partial<TurnsSize>, number][] = [
    ["from the first event", { crashes: 0 }, STATES],
    ["with a worker that crashes", { crashes: 1 }, MOST_STATES],
    ["of events with two messages each", { crashes: 0, copies: [2, 2] }, STATES],
    ["with pauses of the receiver", { crashes: 1, hasPauses: true }, STATES],
    ["of stored deliveries, each with two messages", { crashes: 1, areStored: true }, STATES],
  ];
  test.each(starts)("%s", { ...EXPLORATION, tags: "deep" }, (_, size, most) => {
    const { trace, broken, states } = exploreModel(deliveryTurns(size), most);
    expect([broken, trace]).toEqual([undefined, []]);
    expect(states).toBe(most);
  });

  test("in all states that a few leases reach without a crash", EXPLORATION, () => {
    expectToHold(deliveryTurns({ crashes: 0, leases: chooseCount(1, 2, 3) }));
  });
});

/** A condition, the invariant that breaks without it, and the length of a shortest trace to that. */
type Protection = readonly [without: Condition, invariant: string, steps: number];

function expectBroken([without, invariant, steps]: Protection, size: Partial<TurnsSize>): void {
  expectToBreak(deliveryTurns({ leases: 3, ...size, crashes: 0, without }), invariant, steps);
}

describe("the exploration finds what each condition prevents", () => {
  const ofNew: Protection[] = [
    ["the lease", "one request at a time can take effect", 8],
    ["the quarantine", "one request at a time can take effect", 11],
    ["the look at the holder after joining", "without a crash, no open delivery is forgotten", 12],
    ["the time left for a request", "one request at a time can take effect", 13],
    ["the message at the end of a turn", "without a crash, no open delivery is forgotten", 14],
  ];
  test("the release of a lease without a record: an open delivery is forgotten", { ...EXPLORATION, tags: "deep" }, () =>
    expectBroken(["the release of a lease without a record", "without a crash, no open delivery is forgotten", 26], {
      leases: 2,
      copies: [2, 1],
    }),
  );
  test.each(ofNew)("%s: %s", { ...EXPLORATION, tags: "deep" }, (...protection) => expectBroken(protection, {}));

  const ofStored: Protection[] = [
    ["the token of a record", "no record replaces that of a later attempt", 19],
    ["the token when a lease passes on", "one request at a time can take effect", 18],
    ["the token when a lease ends", "one request at a time can take effect", 22],
  ];
  for (const one of ofStored)
    test(`${one[0]}: ${one[1]}`, { ...EXPLORATION, tags: "deep" }, () => expectBroken(one, { areStored: true }));
});
