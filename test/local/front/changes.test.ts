import { expect, test } from "vitest";
import { allOf, Changes, indexName } from "../../../lib/local/front/changes.ts";

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
