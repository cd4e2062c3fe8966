import { expect, test } from "vitest";
import { allOf, Changes, indexName, partOf } from "../../../lib/local/front/changes.ts";

const SWEEP = "Sweep";
const reads = (name: string, action = "dynamodb:Query") => ({ action, resource: `arn:aws:dynamodb:r:1:table/${name}` });
const sends = { action: "sqs:SendMessage", resource: "arn:aws:sqs:r:1:queue" };

/** A look that has read these. */
function looked(changes: Changes, ...used: { action: string; resource: string }[]) {
  const isOutdated = changes.begin([SWEEP]);
  for (const use of used) changes.noteUse(SWEEP, use);
  return isOutdated;
}

test("a look is outdated once something is written that it saw, and not before", () => {
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

test("what is written while a look is going on, by itself too, outdates it", () => {
  const changes = new Changes();
  const isOutdated = changes.begin([SWEEP]);
  changes.noteWrite("events");
  changes.noteUse(SWEEP, reads("events", "dynamodb:GetItem"));
  expect(isOutdated()).toBe(true);
});

test.each([undefined, allOf("events")])("where it is not told what was written all of it counts (%s)", (name) => {
  const changes = new Changes();
  const isOutdated = looked(changes, reads(indexName("events", "due")));
  changes.noteWrite(name);
  expect(isOutdated()).toBe(true);
});

test("of a look that saw nothing, or what is not watched, it is not known", () => {
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

test("a look at a part of an index is outdated by what is written there, or where it is not told apart, alone", () => {
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

test("a look at a whole index is outdated by each of its parts", () => {
  const changes = new Changes();
  const isOutdated = looked(changes, reads(DUE));
  changes.noteWrite(partOf(DUE, "d#1"));
  expect(isOutdated()).toBe(true);
});

test("however many parts are written, no look misses one", () => {
  const changes = new Changes();
  const isOutdated = looked(changes, queries("0"));
  for (let part = 0; part < 10_100; part++) changes.noteWrite(partOf(DUE, String(part)));
  expect(isOutdated()).toBe(true);
});
