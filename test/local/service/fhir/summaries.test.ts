import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { summaryRows } from "../../../../lib/domain/fhir/summary-rows.ts";
import { summaryNames } from "../../../../lib/domain/summaries/summary-names.ts";
import { type Answer, TestService } from "../../../support/service.ts";
import { ingestBatch } from "../ingest/ingest-batch.ts";
import { summaryExamples } from "../summaries/summary-examples.ts";
import { readAll, readFhir, readPages } from "./fhir-helpers.ts";

type Body = Answer["body"];

let service: TestService;
let userId: string;
let dailyId: string;
beforeAll(async () => {
  service = await TestService.start();
  userId = await service.createUser("every summary");
  const examples = summaryNames.map(({ name }) => [name, [summaryExamples[name].record]]);
  const { rejected } = await ingestBatch(service, userId, Object.fromEntries(examples));
  expect(rejected).toEqual([]);
  dailyId = await service.createUser("many days");
  const days = Array.from({ length: 12 }, (_, index) => `2026-05-${String(index + 1).padStart(2, "0")}`);
  const body = days.map((calendar_date, index) => ({ calendar_date, weight: 70 + index, fat: 20 }));
  const workouts = days.map((day, index) => ({
    provider_id: `run-${index}`,
    time_start: `${day}T06:00:00Z`,
    time_end: `${day}T07:00:00Z`,
    calories: 100 + index,
  }));
  for (const provider of ["oura", "withings"]) await ingestBatch(service, dailyId, { body, workouts }, { provider });
});
afterAll(() => service.stop());

/** Reads the summary of a kind by the ordinary API. */
async function readSummary(kind: string): Promise<Body> {
  const { body } = await service.call("GET", `/v2/summary/${kind}/${userId}?start_date=2026-05-01&end_date=2026-05-01`);
  const { listKey } = summaryNames.find(({ name }) => name === kind) ?? {};
  return listKey ? body[listKey][0] : body;
}
const fieldAt = (summary: Body, path: string) => path.split(".").reduce((value, name) => value?.[name], summary);
const codeOf = ({ code }: Body) => code.coding.at(-1).code;
const componentValue = (part: Body) =>
  part.valueQuantity?.value ?? part.valueString ?? part.valueBoolean ?? part.valueCodeableConcept?.coding[0].code;

describe("Observations of summaries", () => {
  test.each(summaryRows)(
    "$code has the values of the ordinary API",
    { tags: "deep" },
    async ({ code, kind, field, parts, choices, texts }) => {
      const summary = await readSummary(kind);
      const [found, ...others] = await readAll(
        service,
        `/Observation?patient=${userId}&code=urn:tributary:measure|${code}`,
      );
      expect(others).toEqual([]);
      if (field) expect(found.valueQuantity.value).toBe(fieldAt(summary, field));
      const components = new Map((found.component ?? []).map((part: Body) => [codeOf(part), componentValue(part)]));
      for (const part of parts)
        expect([part.code, components.get(part.code)]).toEqual([part.code, fieldAt(summary, part.field)]);
      for (const name of choices) expect(components.get(`${kind}.${name}`)).toBe(`${name}.${summary[name]}`);
      for (const name of texts) expect(components.get(`${kind}.${name}`)).toBe(summary[name]);
      expect(found.meta.source).toBe("urn:tributary:provider:apple_health_kit");
      const read = await readFhir(service, `/Observation/${found.id}`);
      expect([read.status, read.body]).toEqual([200, found]);
    },
  );

  test("of sessions have their period and their lists", async () => {
    const all = await readAll(service, `/Observation?patient=${userId}`);
    const of = (code: string) => all.find((one) => codeOf(one) === code);
    const componentsOf = (code: string, prefix: string) =>
      (of(code).component as Body[]).filter((part) => codeOf(part).startsWith(prefix)).map(componentValue);
    expect(of("sleep").effectivePeriod).toEqual({
      start: "2026-04-30T23:00:00+02:00",
      end: "2026-05-01T07:00:00+02:00",
    });
    expect(of("workouts").valueCodeableConcept.text).toBe("Running");
    expect(componentsOf("workouts", "workouts.hr_zones")).toEqual([0, 60, 600, 1_200, 480, 60]);
    expect(of("meal").valueQuantity).toMatchObject({ value: 380.5, code: "kcal" });
    expect(componentsOf("meal", "meal.macros.fats.")).toEqual([3, 4.5, 1, 0.4, 0.6, 9]);
    expect(componentsOf("meal", "meal.micros.")).toEqual([120, 300.5, 12, 40]);
    expect(componentsOf("meal", "meal.data")).toEqual([380.5, "Tea"]);
    const iodine = of("meal").component.find((part: Body) => codeOf(part) === "meal.micros.trace_elements.iodine");
    expect(iodine.valueQuantity).toMatchObject({ unit: "µg", code: "ug" });
    expect(of("electrocardiogram").valueCodeableConcept.coding[0].code).toBe("classification.inconclusive");
    const stages = of("sleep_cycle").component.map(({ code, valuePeriod }: Body) => [
      code.text,
      valuePeriod.start.slice(11, 16),
    ]);
    expect(stages).toEqual([
      ["awake", "00:10"],
      ["light", "00:20"],
      ["deep", "02:40"],
    ]);
    const entries = of("menstrual_cycle").component.map((part: Body) => [
      part.extension[0].valueDate,
      componentValue(part),
    ]);
    expect(entries).toContainEqual(["2026-05-14", "ovulation_test.luteinizing_hormone_surge"]);
    expect(entries).toContainEqual(["2026-05-01", 36.45]);
    expect(entries).toHaveLength(10);
    expect(of("menstrual_cycle").effectivePeriod).toEqual({ start: "2026-05-01", end: "2026-05-28" });
  });

  test("that the service derived from samples say so", async () => {
    const walker = await service.createUser("walker");
    await ingestBatch(service, walker, {
      steps: [{ start: "2026-05-02T08:00:00Z", end: "2026-05-02T08:05:00Z", value: 50 }],
    });
    const [found] = await readAll(service, `/Observation?patient=${walker}&code=41950-7`);
    expect(found).toMatchObject({
      valueQuantity: { value: 50 },
      effectiveDateTime: "2026-05-02",
      method: { coding: [{ code: "method.derived" }] },
    });
  });

  test.each([1, 3, 7, 1_000])(
    "are found once on pages of %i, with equal days of two sources",
    { tags: "deep" },
    async (count) => {
      const pages = await readPages(service, `/Observation?patient=${dailyId}&_count=${count}`);
      const ids = pages.flat().map(({ id }) => id);
      // Two sources on 12 days, each with weight, fat and a workout.
      expect([ids.length, new Set(ids).size]).toEqual([72, 72]);
      expect(pages.every(({ length }) => length <= count)).toBe(true);
    },
  );

  test.each([
    ["date=2026-05-10", [10]],
    ["date=ge2026-05-11", [11, 12]],
    ["date=gt2026-05-11", [12]],
    ["date=lt2026-05-03", [1, 2]],
    ["date=le2026-05-02", [1, 2]],
    ["date=ge2026-05-08&date=lt2026-05-10", [8, 9]],
    ["date=2025", []],
  ])("are found by %s", async (query, days) => {
    for (const code of ["29463-7", "73985-4"]) {
      const found = await readAll(service, `/Observation?patient=${dailyId}&code=${code}&${query}`);
      const dates = found.map(({ effectiveDateTime, effectivePeriod }) => effectiveDateTime ?? effectivePeriod.start);
      const expected = days.flatMap((day) => [day, day]);
      expect(dates.map((date) => Number(date.slice(8, 10))).toSorted((a, b) => a - b)).toEqual(expected);
    }
  });

  test("of another team's user answer like unknown ids", async () => {
    const { key } = await service.createTeam("Another");
    const [{ id }] = (await readAll(service, `/Observation?patient=${userId}&code=sleep`)) as [Body];
    expect((await readFhir(service, `/Observation/${id}`, { key })).status).toBe(404);
    for (const other of [id.replace("sleep", "meal"), id.replace("sleep", "nothing"), `00000000${id.slice(8)}`])
      expect((await readFhir(service, `/Observation/${other}`)).status).toBe(404);
  });
});
