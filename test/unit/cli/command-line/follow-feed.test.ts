import { expect, test } from "vitest";
import { findLastSequence } from "../../../../lib/cli/service/follow-feed.ts";
import { formatLiveEvent, matchesFilter } from "../../../../lib/cli/service/live-event.ts";

/** A feed with the sequence numbers from `first` to `last`. */
const feed = (first: number, last: number) => {
  const reads: number[] = [];
  const readNext = async (after: number) => {
    reads.push(after);
    const next = Math.max(first, after + 1);
    return next <= last ? next : undefined;
  };
  return { reads, readNext };
};

test("the last sequence number is found for every length of the feed", async () => {
  for (let last = 0; last <= 70; last++) expect(await findLastSequence(feed(1, last).readNext)).toBe(last);
  for (let last = 900; last <= 970; last++) expect(await findLastSequence(feed(900, last).readNext)).toBe(last);
});

test("a long feed takes few reads", async () => {
  const { reads, readNext } = feed(1, 1_000_000);
  expect(await findLastSequence(readNext)).toBe(1_000_000);
  expect(reads.length).toBeLessThan(50);
});

const event = { seenAt: "2026-05-01T08:00:00.000Z", type: "daily.data.sleep.created", userId: "u-1", body: {} };

test("a filter takes a type, a prefix that ends in a dot, and a user", () => {
  const matches = (type: string | undefined, user?: string) => matchesFilter(event, { type, user });
  expect([
    matches(undefined),
    matches("daily."),
    matches("daily.data.sleep.created"),
    matches(undefined, "U-1"),
  ]).toEqual([true, true, true, true]);
  expect([matches("daily"), matches("historical."), matches("daily.", "u-2")]).toEqual([false, false, false]);
  expect(matchesFilter({ ...event, type: null }, { type: "daily.", user: undefined })).toBe(false);
});

test("an event is one line without its data", () => {
  const plain = (_: unknown, text: string) => text;
  const body = { data: { duration: 41_234 } };
  expect(formatLiveEvent({ ...event, sequence: 7, body }, plain)).toBe(
    "2026-05-01T08:00:00.000Z  #7  daily.data.sleep.created  user u-1",
  );
  expect(formatLiveEvent({ ...event, type: null, userId: null, isVerified: false }, plain)).toBe(
    "2026-05-01T08:00:00.000Z  (no type)  not verified",
  );
});
