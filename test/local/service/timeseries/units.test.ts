import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { rejectionOf } from "../ingest/expected-rejections.ts";
import { ingestBatch, pageSamples, readGroupedPage, sendBatch } from "../ingest/ingest-batch.ts";

const DAY = { start_date: "2026-05-01", end_date: "2026-05-01" };
const at = (minute: number) => ({ timestamp: new Date(Date.UTC(2026, 4, 1, 8, minute)).toISOString() });

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

/** Returns the samples of a resource in reads and in the event, with values in the resource's unit. */
async function answeredFor(userId: string, resource: string) {
  const samples = pageSamples(await readGroupedPage(service, userId, resource, DAY));
  const [event] = (await service.inbox()).filter(({ body }) => body.user_id === userId);
  expect(event?.body.data.data).toEqual(samples);
  return samples;
}

test("values in pounds are stored, read and sent in kilograms", async () => {
  const userId = await service.createUser("pounds");
  const body_weight = ["lb", "[lb_av]", "kg", undefined].map((unit, minute) => ({ ...at(minute), value: 150, unit }));
  expect(await ingestBatch(service, userId, { body_weight })).toMatchObject({
    status: "done",
    stored: 4,
    rejected: [],
  });
  const pounds = expect.closeTo(68.038_855_5, 9);
  const samples = await answeredFor(userId, "body_weight");
  expect(samples.map(({ value }) => value)).toEqual([pounds, pounds, 150, 150]);
  expect(samples.every((sample) => "unit" in sample && sample.unit === "kg")).toBe(true);
});

test("masses are converted to moles by the measured substance", async () => {
  const userId = await service.createUser("moles");
  const kinds = ["total", "triglycerides"].map((type) => ({ ...at(0), type, value: 200, unit: "mg/dL" }));
  await ingestBatch(service, userId, { glucose: [{ ...at(0), value: 100, unit: "mg/dL" }], cholesterol: kinds });
  const [glucose] = pageSamples(await readGroupedPage(service, userId, "glucose", DAY));
  expect(glucose?.value).toBeCloseTo(5.550_749, 4);
  const cholesterol = pageSamples(await readGroupedPage(service, userId, "cholesterol", DAY));
  // Total 200 / 38.665, triglycerides 200 / 88.57.
  expect(cholesterol.map(({ value }) => value)).toEqual([expect.closeTo(5.1726, 4), expect.closeTo(2.2581, 4)]);
});

test("a blood pressure in kilopascals is returned in mmHg", async () => {
  const userId = await service.createUser("kilopascal");
  await ingestBatch(service, userId, { blood_pressure: [{ ...at(0), systolic: 16, diastolic: 10.5, unit: "kPa" }] });
  const [pressure] = await answeredFor(userId, "blood_pressure");
  const expected = { unit: "mmHg", systolic: expect.closeTo(120.01, 2), diastolic: expect.closeTo(78.757, 3) };
  expect(pressure).toMatchObject(expected);
});

test("bounds apply to the converted value", async () => {
  const userId = await service.createUser("bounds");
  const temperature = (value: number, unit: string, minute: number) => ({ ...at(minute), value, unit });
  const { body } = await sendBatch(service, userId, {
    body_temperature: [temperature(98.6, "degF", 0), temperature(98.6, "°C", 1), temperature(20, "degF", 2)],
  });
  const refused = [1, 2].map((index) => rejectionOf("body_temperature", index, "value", "value_out_of_range"));
  expect(body).toMatchObject({ accepted: 1, rejected: refused });
});

test("an unknown unit or a unit of another kind is named in the response and in the receipt", async () => {
  const userId = await service.createUser("unknown units");
  const units = ["lb", "furlong", "mi", "kg2", "toString", "x".repeat(10_000), "", 7, ["kg"], {}];
  const sent = await sendBatch(service, userId, {
    body_weight: units.map((unit, minute) => ({ ...at(minute), value: 150, unit })),
  });
  const rejected = units.slice(1).map((_, at) => rejectionOf("body_weight", at + 1, "unit", "unknown_unit"));
  expect(sent).toMatchObject({ status: 202, body: { accepted: 1, rejected } });
  await service.settle();
  const receipt = await service.call("GET", `/v2/ingest/${userId}/${sent.body.receipt_id}`);
  expect(receipt.body).toMatchObject({ status: "done", stored: 1, rejected });
});

test("a measurement in two units is one sample, with the value received last", async () => {
  const userId = await service.createUser("two units");
  await ingestBatch(service, userId, { water: [{ ...at(0), value: 500, unit: "mL" }] });
  expect(await ingestBatch(service, userId, { water: [{ ...at(0), value: 0.5, unit: "L" }] })).toMatchObject({
    unchanged: 1,
  });
  expect(await ingestBatch(service, userId, { water: [{ ...at(0), value: 0.6, unit: "L" }] })).toMatchObject({
    updated: 1,
  });
});

test("10,000 records in foreign units are accepted", { tags: "deep" }, async () => {
  const userId = await service.createUser("many foreign units");
  const heartrate = Array.from({ length: 10_000 }, (_, second) => ({
    timestamp: new Date(Date.UTC(2026, 4, 1, 0, 0, second)).toISOString(),
    value: 1 + (second % 10) / 10,
    unit: `Hz{sensor${second}}`,
  }));
  expect(await ingestBatch(service, userId, { heartrate })).toMatchObject({
    status: "done",
    stored: 10_000,
    rejected: [],
  });
});
