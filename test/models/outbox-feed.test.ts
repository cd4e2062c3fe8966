import { describe, expect, test } from "vitest";
import { chooseCount } from "../support/depth.ts";
import { exploreModel } from "./explore-model.ts";
import { type FeedCondition, outboxFeed } from "./outbox-feed.ts";

const timeout = 30 * 60_000;

test("the invariants of outbox and feed hold in all states of several events", { timeout }, () => {
  const { broken, trace, isComplete } = exploreModel(outboxFeed({ events: chooseCount(2, 3) }));
  expect([broken, trace, isComplete]).toEqual([undefined, [], true]);
});

describe("the exploration finds what each condition prevents", () => {
  test.each<[FeedCondition, string, number]>([
    ["one write of a change and its event", "every change has its event", 1],
    ["publishing before the feed", "no event is in the feed before it is published", 4],
    ["the unchanged end of the feed", "each event knows its own place in the feed", 10],
    ["the missing sequence of an event", "no event is in the feed twice", 9],
    ["one write of the feed and the sequence", "no event is in the feed twice", 9],
  ])("%s: %s", (without, invariant, steps) => {
    const { broken, trace } = exploreModel(outboxFeed({ without }));
    expect([broken, trace.length], trace.join("\n")).toEqual([invariant, steps]);
  });
});
