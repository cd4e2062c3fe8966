import { expect, test } from "vitest";
import { allOf, Changes, indexName, partOf } from "../../../lib/local/front/changes.ts";

const SWEEP = "Sweep";
const reads = (name: string, action = "dynamodb:Query") => ({ action, resource: `arn:aws:dynamodb:r:1:table/${name}` });
const sends = { action: "sqs:SendMessage", resource: "arn:aws:sqs:r:1:queue" };

/** Starts a run that reads these resources. @returns its staleness check. */
function looked(changes: Changes, ...used: { action: string; resource: string }[]) {
  const isOutdated = changes.begin([SWEEP]);
  for (const use of used) changes.noteUse(SWEEP, use);
  return isOutdated;
}

test("a run becomes stale with a write to data that it read, and not before", () => {
  const changes = new Changes();
  changes.noteWrite(indexName("events", "due"));
  const isOutdated = looked(changes, reads(indexName("events", "due")), sends);
  expect(isOutdated()).toBe(false);
  for (const other of ["events", "labs", indexName("events", "unsent"), indexName("labs", "due")]) {
    changes.noteWrite(other);
    expect(isOutdated(), other).toBe(false);
  }
  changes.noteWrite(indexName("events", "due"));
  expect(isOutdated()).toBe(true);
});

test("a write during a run makes it stale, also its own write", () => {
  const changes = new Changes();
  const isOutdated = changes.begin([SWEEP]);
  changes.noteWrite("events");
  changes.noteUse(SWEEP, reads("events", "dynamodb:GetItem"));
  expect(isOutdated()).toBe(true);
});

test.each([undefined, allOf("events")])("an unspecified write counts as a write to everything (%s)", (name) => {
  const changes = new Changes();
  const isOutdated = looked(changes, reads(indexName("events", "due")));
  changes.noteWrite(name);
  expect(isOutdated()).toBe(true);
});

test("the staleness of a run without reads, or with untracked reads, is unknown", () => {
  const changes = new Changes();
  expect(looked(changes)()).toBeUndefined();
  expect(looked(changes, sends)()).toBeUndefined();
  const listing = { action: "s3:ListBucket", resource: "arn:aws:s3:::bucket" };
  expect(looked(changes, reads("events"), listing)()).toBeUndefined();
  const isOutdated = looked(changes, reads("events"));
  changes.noteOutside(SWEEP);
  expect(isOutdated()).toBeUndefined();
});

const DUE = indexName("events", "due");
const queries = (key: string) => ({ ...reads(DUE), leadingKeys: [key] });

test("a run that read an index partition becomes stale with a write to that partition or to an unspecified one", () => {
  const changes = new Changes();
  for (const [written, expected] of [
    [partOf(DUE, "d#2"), false],
    [indexName("events", "unsent"), false],
    [partOf(DUE, "d#1"), true],
    [DUE, true],
    [allOf("events"), true],
  ] as const) {
    const isOutdated = looked(changes, queries("d#1"));
    changes.noteWrite(written);
    expect(isOutdated(), written).toBe(expected);
  }
});

test("a run that read a whole index becomes stale with a write to any partition", () => {
  const changes = new Changes();
  const isOutdated = looked(changes, reads(DUE));
  changes.noteWrite(partOf(DUE, "d#1"));
  expect(isOutdated()).toBe(true);
});

test("every written partition is tracked, however many there are", () => {
  const changes = new Changes();
  const isOutdated = looked(changes, queries("0"));
  for (let part = 0; part < 10_100; part++) changes.noteWrite(partOf(DUE, String(part)));
  expect(isOutdated()).toBe(true);
});
