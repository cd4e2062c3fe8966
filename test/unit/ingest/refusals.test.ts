import { describe, expect, test } from "vitest";
import { acceptBatch } from "../../../lib/domain/ingest/accept-batch.ts";
import { recordResources } from "../../../lib/domain/ingest/record-schemas.ts";
import type { WireRejection } from "../../../lib/domain/ingest/rejection.ts";
import { toWireRejections } from "../../../lib/domain/ingest/wire-rejections.ts";
import { newUser } from "../../../lib/domain/users/user.ts";
import { answerBytes } from "../../../lib/runtime/http/answer-size.ts";
import { recordExamples } from "./record-examples.ts";

const ids = { userId: "6a1f6f3e-1df0-4bd4-8f0e-0d5c6d0d3c11", teamId: "0d5c6d0d-3c11-4bd4-8f0e-6a1f6f3e1df0" };
const user = newUser({ client_user_id: "ada" }, ids, "2026-01-02T00:00:00.000Z");
const about = { provider: "oura", source_type: "ring", device_id: null, stage: "daily" } as const;
const receivedAt = Date.UTC(2026, 4, 2);

type Lists = Readonly<Record<string, readonly unknown[]>>;

function send(resources: Lists, deleted: Lists = {}) {
  const { accepted, rejected } = acceptBatch({ ...about, resources, deleted }, user, receivedAt);
  return { accepted, rejected: toWireRejections(rejected) };
}

/** Text and digits that no word of the service contains. */
const CANARY = "xyzzy47110815";
const DIGITS = 471_108_150_815_471;

/** Every path inside a value, with the keys of objects and the first index of lists. */
function pathsIn(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [];
  const members = Array.isArray(value) ? [["0", value[0]] as const] : Object.entries(value);
  return members.flatMap(([key, inner]) => [[key], ...pathsIn(inner).map((path) => [key, ...path])]);
}

/** A copy of a record with another value at a path; without the value if it is undefined. */
function withValue(record: unknown, [key = "", ...rest]: readonly string[], value: unknown): unknown {
  const copy = structuredClone(record) as Record<string, unknown>;
  if (rest.length > 0) copy[key] = withValue(copy[key], rest, value);
  else if (value === undefined) delete copy[key];
  else copy[key] = value;
  return copy;
}

/** What a sender may get wrong at a path. Lists keep their length. */
const faults: Readonly<Record<string, unknown>> = {
  dropped: undefined,
  null: null,
  text: CANARY,
  number: DIGITS,
  "negative number": -DIGITS,
  fraction: 0.471_108_15,
  object: { [CANARY]: CANARY },
  list: [CANARY, DIGITS],
  "long text": CANARY.repeat(400),
};

/** Whether a refused field is the one at a path, one inside it, or the one that contains it. */
function isAt(field: string | null, path: readonly string[]): boolean {
  if (field === null) return false;
  const names = field.split(".");
  return names.every((name, at) => path[at] === undefined || name === "*" || name === path[at]);
}

function expectHelp({ resource: _, ...rejection }: WireRejection): void {
  expect(rejection.detail).toMatch(/^[A-Z].{10,320}\.$/);
  const text = JSON.stringify(rejection).replace(/"index":\d+,/, "");
  for (const secret of [CANARY, CANARY.slice(0, 5), "4711", "0.47"]) expect(text).not.toContain(secret);
}

describe.each(recordResources)("a record of %s", (name) => {
  const record = recordExamples.get(name)!;

  test("is accepted whole if it is valid", () => {
    expect(send({ [name]: [record] })).toEqual({ accepted: 1, rejected: [] });
  });

  test("is refused with its field, and with words that do not repeat the value", { tags: "deep" }, () => {
    for (const path of pathsIn(record))
      for (const [fault, value] of Object.entries(faults)) {
        if (value === undefined && path.at(-1) === "0") continue;
        const { rejected } = send({ [name]: [withValue(record, path, value)] });
        const place = `${name} ${path.join(".")} ${fault}`;
        for (const one of rejected) expectHelp(one);
        const elsewhere = rejected.filter(({ field, reason }) => !isAt(field, path) && reason !== "end_before_start");
        expect(elsewhere, place).toEqual([]);
        const isText =
          typeof path.reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], record) === "string";
        if (fault === (isText ? "object" : "text")) expect(rejected, place).not.toEqual([]);
      }
  });

  test("that is no object is refused as a whole", () => {
    for (const junk of [CANARY, DIGITS, null, [CANARY], true]) {
      const { accepted, rejected } = send({ [name]: [junk] });
      expect([accepted, rejected.length, rejected[0]?.field, rejected[0]?.effect]).toEqual([
        0,
        1,
        null,
        "record_rejected",
      ]);
      expectHelp(rejected[0]!);
      expect(rejected[0]?.detail).toMatch(/^Expected an object with /);
    }
  });
});

describe("words about a refusal", () => {
  const at = "2026-05-01T08:00:00Z";
  const detailOf = (resource: string, record: unknown) => send({ [resource]: [record] }).rejected[0]?.detail;

  test("say what an object contains", () => {
    const run = { provider_id: "w", time_start: at, time_end: "2026-05-01T09:00:00Z", sport: "rowing" };
    expect(send({ workouts: [run] }).rejected).toEqual([
      {
        ...{ resource: "workouts", index: 0, effect: "field_dropped", field: "sport", reason: "bad_field" },
        detail: "Expected an object with name, slug and optionally id. Sport.",
      },
    ]);
  });

  test("name range and unit, the accepted units, and the allowed values", () => {
    expect(detailOf("heartrate", { timestamp: at, value: 4_000 })).toBe(
      "Expected a number from 10 to 400. Value, bpm after conversion.",
    );
    expect(detailOf("body_weight", { timestamp: at, value: 70, unit: "furlong" })).toBe(
      "Expected a text such as kg, kgs, kilogram, kilograms, or null. " +
        "Unit of the numbers: kg, or a convertible unit as UCUM code or common spelling. Returned as kg.",
    );
    expect(detailOf("steps", { timestamp: at, value: 70, unit: "furlong" })).toBe(
      "Expected one of count, 1, counts, {count}, step, steps, or null. Unit of the value, by default count.",
    );
    expect(detailOf("cholesterol", { timestamp: at, value: 5, type: "bad" })).toContain("one of ldl, hdl, total,");
    expect(detailOf("activity", { calendar_date: "May" })).toContain("an ISO 8601 date, such as 2026-05-01.");
    expect(detailOf("heartrate", { timestamp: "noon", value: 60 })).toContain("an ISO 8601 date-time with an offset");
  });

  test("count the values that are left out of a stream", () => {
    const stream = { provider_id: "w", time: [1_777_615_200, 1_777_615_201], power: [20_000, 240] };
    expect(detailOf("workout_stream", stream)).toMatch(/ 1 of 2 values are left out\.$/);
  });

  test("suggest similar names for an unknown resource", () => {
    const { rejected } = send({ heart_rate: [{}], workout: [{}], weight: [{}], horoscope: [{}] });
    const unknown = { index: 0, effect: "record_rejected", field: null, reason: "unknown_resource" };
    expect(rejected.map(({ detail: _, ...rest }) => rest)).toEqual(
      ["heart_rate", "workout", "weight", "horoscope"].map((resource) => ({ resource, ...unknown })),
    );
    const similar = rejected.map(({ detail }) => /Similar: ([^.]+)\./.exec(detail)?.[1]?.split(", "));
    expect(similar[0]?.[0]).toBe("heartrate");
    expect(similar[1]?.[0]).toBe("workouts");
    expect(similar[2]).toContain("body_weight");
    expect(similar[3]).toBeUndefined();
    for (const { detail } of rejected) expect(detail).toContain("/openapi.json");
  });

  test("name the fields of a deletion", () => {
    const { rejected } = send({}, { heartrate: [{ timestamp: "noon" }], workouts: [{ timestamp: at }] });
    expect(rejected).toMatchObject([
      { resource: "deleted.heartrate", index: 0, field: "timestamp", reason: "bad_time" },
      { resource: "deleted.workouts", index: 0, field: null, reason: "unknown_resource" },
    ]);
    for (const one of rejected) expectHelp(one);
  });
});

test("the rejections of a full request fit in a response", () => {
  const bad = { timestamp: "2026-05-01T08:00:00Z", type: "", value: 1 };
  const minerals = Object.fromEntries(Array.from({ length: 4_990 }, (_, at) => [`mineral ${at}`, "much"]));
  const { rejected } = send(
    {
      meal: [{ timestamp: "2026-05-01T08:00:00Z", micros: { minerals } }],
      electrocardiogram_voltage: Array(9_999).fill({ ...bad, timezone_offset: "none" }),
    },
    { electrocardiogram_voltage: Array(10_000).fill(bad) },
  );
  expect(rejected.length).toBeGreaterThan(19_999);
  expect(answerBytes(JSON.stringify(rejected))).toBeLessThan(5.5 * 1_048_576);
  expect(rejected.filter(({ detail }) => detail.length < 20)).toEqual([]);
});
