// @module-tag share
import { describe, test } from "vitest";
import { chooseCount } from "../support/depth.ts";
import { EXPLORATION, expectToBreak, expectToHold } from "./model-checks.ts";
import { type RefreshCondition, tokenRefresh } from "./token-refresh.ts";

test("the invariants of a token refresh hold in all states of several callers", EXPLORATION, () => {
  expectToHold(tokenRefresh({ callers: chooseCount(2, 3) }));
});

describe("the exploration finds what each condition prevents", () => {
  test.each<[RefreshCondition, string, number]>([
    ["the lease", "one exchange at a time is under way", 6],
    ["the time left for an exchange", "one exchange at a time is under way", 12],
    ["the time left to store tokens", "without a fault, no caller finds that access has ended", 14],
    ["the version when a lease begins", "without a fault, no caller finds that access has ended", 9],
    ["the end of the lease when it is released", "one exchange at a time is under way", 16],
  ])("%s: %s", (without, invariant, steps) => {
    expectToBreak(tokenRefresh({ without }), invariant, steps);
  });
});
