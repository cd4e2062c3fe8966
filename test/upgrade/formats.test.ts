import { describe, expect, test } from "vitest";
import * as z from "zod";
import { consumers } from "../../functions/index.ts";
import { sampleBatch } from "../../lib/domain/ingest/batch.ts";
import { withoutAccepted } from "./accepted-changes.ts";
import { compareEvents, compareItems, compareMessages } from "./formats/compare-versions.ts";
import { type MessageFormat, readDeclaredFormats } from "./formats/declared-formats.ts";
import { inferShape } from "./formats/infer-shape.ts";
import { shapeOfSchema } from "./formats/shape-of-schema.ts";
import { readFormatsBefore } from "./version-before.ts";

const { declared: before, recorded } = readFormatsBefore();
const next = readDeclaredFormats();

/** Each finding names the field and the rule; docs/versioning.md says how to change a format in two releases. */
describe("this version and the one before", () => {
  test("read each other's messages", () => {
    expect(Object.keys(before.messages).length).toBeGreaterThan(30);
    expect(withoutAccepted(compareMessages({ before: before.messages, next: next.messages }))).toEqual([]);
  });

  test("send receivers the same fields of events", () => {
    expect(Object.keys(before.events).length).toBeGreaterThan(200);
    expect(withoutAccepted(compareEvents({ before: before.events, next: next.events }))).toEqual([]);
  });

  test("accept the messages that the version before sent", () => {
    const schemas = new Map<string, z.ZodType>(consumers.map(({ operationId, message }) => [operationId, message]));
    const refused = Object.entries(recorded.messages).flatMap(([name, examples]) =>
      examples.flatMap((example) => {
        const { error } = (schemas.get(name) ?? z.never()).safeParse(example);
        return error ? [`${name}: ${z.prettifyError(error)}`] : [];
      }),
    );
    expect(Object.values(recorded.messages).flat().length).toBeGreaterThan(40);
    expect(refused).toEqual([]);
  });
});

describe("a change of a message is found:", () => {
  const base = {
    team_id: z.string(),
    key: z.string(),
    at: z.int(),
    kind: z.enum(["a", "b"]),
    note: z.string().optional(),
  };
  const format = (schema: z.ZodType): MessageFormat => ({
    accepted: shapeOfSchema(schema, "input"),
    sent: shapeOfSchema(schema, "output"),
  });
  const compare = (old: z.ZodType, changed: z.ZodType) =>
    compareMessages({ before: { doWork: format(old) }, next: { doWork: format(changed) } });
  const [toOld, toNew] = [
    "message of doWork, from this version to the one before:",
    "message of doWork, from the version before to this one:",
  ];
  const { key, ...withoutKey } = base;

  test("a renamed field", () => {
    expect(compare(z.object(base), z.object({ ...withoutKey, subject: key }))).toEqual([
      `${toOld} key: the reader requires it, and the writer lacks it`,
      `${toNew} subject: the reader requires it, and the writer lacks it`,
    ]);
  });

  test("a field that becomes required", () => {
    expect(compare(z.object(base), z.object({ ...base, note: z.string() }))).toEqual([
      `${toNew} note: the reader requires it, and the writer does not always write it`,
    ]);
  });

  test("a new field that the version before refuses", () => {
    expect(compare(z.strictObject(base), z.strictObject({ ...base, more: z.string().optional() }))).toEqual([
      `${toOld} more: the reader refuses unknown fields`,
    ]);
  });

  test("another type, a new value of an enum, and an optional field that is gone", () => {
    expect(compare(z.object(base), z.object({ ...base, at: z.string() }))).toEqual([
      `${toOld} at: the reader does not accept string`,
      `${toNew} at: the reader does not accept integer`,
    ]);
    expect(compare(z.object(base), z.object({ ...base, kind: z.enum(["a", "b", "c"]) }))).toEqual([
      `${toOld} kind: the reader does not accept "c"`,
    ]);
    const { note: _, ...withoutNote } = base;
    expect(compare(z.object(base), z.object(withoutNote))).toEqual([
      `${toOld} note: the reader uses it, and the writer lacks it`,
    ]);
  });

  test("a consumer that is gone", () => {
    expect(compareMessages({ before: { doWork: format(z.object(base)) }, next: {} })).toHaveLength(1);
  });

  test("but neither a new optional field nor a field with a default", () => {
    const more = { ...base, more: z.string().optional(), app_id: z.string().nullable().default(null) };
    expect(compare(z.object(base), z.object(more))).toEqual([]);
  });

  test("inside alternatives and lists of a real message", () => {
    const changed = sampleBatch.extend({ samples: z.record(z.string(), z.string()) });
    expect(compare(sampleBatch, changed)).toContain(`${toOld} samples.*: the reader does not accept string`);
  });
});

test("a change of a stored item is found by what the versions wrote", () => {
  const shape = (...items: object[]) => ({ "users user#": inferShape(items) });
  const old = shape({ pk: "a", name: "x", days: ["d"] }, { pk: "b", name: "y", days: [], note: "n" });
  expect(compareItems({ before: old, next: shape({ pk: "a", title: "x", days: [1] }) })).toEqual([
    "item users user#: days[]: the reader does not accept number",
    "item users user#: name: the reader requires it, and the writer lacks it",
    "item users user#: note: the reader uses it, and the writer lacks it",
  ]);
  expect(compareItems({ before: old, next: old })).toEqual([]);
});

test("members of a map may differ between the runs of two versions, and their fields may not", () => {
  const shape = (unpushed: object) => ({ "polls of#": inferShape([{ pk: "a", unpushed }]) });
  const before = shape({ workouts: { at: "x" }, "2026-11-24": { at: "y" } });
  expect(compareItems({ before, next: shape({ sleep: { at: "x" } }) })).toEqual([]);
  expect(compareItems({ before, next: shape({ sleep: { from: "x" } }) })).toEqual([
    "item polls of#: unpushed.*.at: the reader requires it, and the writer lacks it",
  ]);
});
