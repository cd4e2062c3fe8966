import { expect, test } from "vitest";
import {
  indexPartitionName,
  indexResourceName,
  ReadWriteTracker,
  tableWildcard,
} from "../../../lib/local/aws-proxy/read-write-tracker.ts";

const SWEEP = "Sweep";
const reads = (name: string, action = "dynamodb:Query") => ({ action, resource: `arn:aws:dynamodb:r:1:table/${name}` });
const sends = { action: "sqs:SendMessage", resource: "arn:aws:sqs:r:1:queue" };

/** Starts a run that reads these resources. @returns its staleness check. */
function looked(changes: ReadWriteTracker, ...used: { action: string; resource: string }[]) {
  const isOutdated = changes.trackReads([SWEEP]);
  for (const use of used) changes.recordRead(SWEEP, use);
  return isOutdated;
}

test("a run becomes stale with a write to data that it read, and not before", () => {
  const changes = new ReadWriteTracker();
  changes.recordWrite(indexResourceName("events", "due"));
  const isOutdated = looked(changes, reads(indexResourceName("events", "due")), sends);
  expect(isOutdated()).toBe(false);
  for (const other of ["events", "labs", indexResourceName("events", "unsent"), indexResourceName("labs", "due")]) {
    changes.recordWrite(other);
    expect(isOutdated(), other).toBe(false);
  }
  changes.recordWrite(indexResourceName("events", "due"));
  expect(isOutdated()).toBe(true);
});

test("a write during a run makes it stale, also its own write", () => {
  const changes = new ReadWriteTracker();
  const isOutdated = changes.trackReads([SWEEP]);
  changes.recordWrite("events");
  changes.recordRead(SWEEP, reads("events", "dynamodb:GetItem"));
  expect(isOutdated()).toBe(true);
});

test.each([undefined, tableWildcard("events")])("an unspecified write counts as a write to everything (%s)", (name) => {
  const changes = new ReadWriteTracker();
  const isOutdated = looked(changes, reads(indexResourceName("events", "due")));
  changes.recordWrite(name);
  expect(isOutdated()).toBe(true);
});

test("the staleness of a run without reads, or with untracked reads, is unknown", () => {
  const changes = new ReadWriteTracker();
  expect(looked(changes)()).toBeUndefined();
  expect(looked(changes, sends)()).toBeUndefined();
  const listing = { action: "s3:ListBucket", resource: "arn:aws:s3:::bucket" };
  expect(looked(changes, reads("events"), listing)()).toBeUndefined();
  const isOutdated = looked(changes, reads("events"));
  changes.recordExternalCall(SWEEP);
  expect(isOutdated()).toBeUndefined();
});

const DUE = indexResourceName("events", "due");
const queries = (key: string) => ({ ...reads(DUE), leadingKeys: [key] });

test("a run that read an index partition becomes stale with a write to that partition or to an unspecified one", () => {
  const changes = new ReadWriteTracker();
  for (const [written, expected] of [
    [indexPartitionName(DUE, "d#2"), false],
    [indexResourceName("events", "unsent"), false],
    [indexPartitionName(DUE, "d#1"), true],
    [DUE, true],
    [tableWildcard("events"), true],
  ] as const) {
    const isOutdated = looked(changes, queries("d#1"));
    changes.recordWrite(written);
    expect(isOutdated(), written).toBe(expected);
  }
});

test("a run that read a whole index becomes stale with a write to any partition", () => {
  const changes = new ReadWriteTracker();
  const isOutdated = looked(changes, reads(DUE));
  changes.recordWrite(indexPartitionName(DUE, "d#1"));
  expect(isOutdated()).toBe(true);
});

test("every written partition is tracked, however many there are", () => {
  const changes = new ReadWriteTracker();
  const isOutdated = looked(changes, queries("0"));
  for (let part = 0; part < 10_100; part++) changes.recordWrite(indexPartitionName(DUE, String(part)));
  expect(isOutdated()).toBe(true);
});
