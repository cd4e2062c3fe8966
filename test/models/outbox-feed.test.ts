// @module-tag share
import { describe, test } from "vitest";
import { chooseCount } from "../support/depth.ts";
import { EXPLORATION, expectToBreak, expectToHold } from "./model-checks.ts";
import { type FeedCondition, outboxFeed } from "./outbox-feed.ts";

test("the invariants of outbox and feed hold in all states of several events", { ...EXPLORATION, tags: "deep" }, () => {
  expectToHold(outboxFeed({ events: chooseCount(2, 3) }));
});

describe("the exploration finds what each condition prevents", () => {
  test.each<[FeedCondition, string, number]>([
    ["one write of a change and its event", "every change has its event", 1],
    ["publishing before the feed", "no event is in the feed before it is published", 4],
    ["the unchanged end of the feed", "each event knows its own place in the feed", 10],
    ["the missing sequence of an event", "no event is in the feed twice", 9],
    ["one write of the feed and the sequence", "no event is in the feed twice", 9],
    ["the mark of an event until it is in the feed", "the sweeper finds each event that the feed lacks", 3],
  ])("%s: %s", { tags: "deep" }, (without, invariant, steps) => {
    expectToBreak(outboxFeed({ without }), invariant, steps);
  });
});
