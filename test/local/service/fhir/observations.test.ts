import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleRows } from "../../../../lib/domain/fhir/sample-rows.ts";
import { getResource, resourceNames } from "../../../../lib/domain/timeseries/resources.ts";
import { type Answer, TestService } from "../../../support/service.ts";
import { createHeartRates, ingestBatch } from "../ingest/ingest-batch.ts";
import { plausibleRecord } from "../timeseries/plausible-record.ts";
import { readAll, readFhir, readPages, resourcesOf } from "./fhir-helpers.ts";

type Body = Answer["body"];

let service: TestService;
let userId: string;
let busyId: string;
beforeAll(async () => {
  service = await TestService.start();
  userId = await service.createUser("every resource");
  const records = resourceNames.map((name) => [name, [plausibleRecord(getResource(name))]]);
  const { rejected } = await ingestBatch(service, userId, Object.fromEntries(records));
  expect(rejected).toEqual([]);
  const cholesterol = ["hdl", "total", "triglycerides"].map((type, index) => ({
    timestamp: "2026-05-01T08:00:00+02:00",
    type,
    value: index + 1,
    unit: "mmol/L",
  }));
  await ingestBatch(service, userId, { cholesterol });
  busyId = await service.createUser("many heart rates");
  await ingestBatch(service, busyId, { heartrate: createHeartRates("2026-05-01T00:00:00Z", 250, 60_000) });
});
afterAll(() => service.stop());

const search = (query: string, options?: Parameters<typeof readFhir>[2]) =>
  readFhir(service, `/Observation?${query}`, options);
const outcomeOf = ({ status, headers, body }: Answer) => [
  status,
  headers.get("content-type"),
  body.resourceType,
  body.issue?.[0]?.code,
  body.issue?.[0]?.details?.coding[0].code,
];
const FHIR = "application/fhir+json";

describe("Observations of samples", () => {
  test.each(sampleRows)(
    "$code has the value, unit and time of the ordinary API",
    { tags: "deep" },
    async ({ code, resource, subtype }) => {
      const { body } = await service.call("GET", `/v2/timeseries/${userId}/${resource}/grouped?start_date=2026-05-01`);
      const samples: Body[] = body.groups.apple_health_kit[0].data;
      const sample = samples.find(({ type }) => subtype === undefined || type === subtype);
      const [found, ...others] = await readAll(
        service,
        `/Observation?patient=${userId}&code=urn:tributary:measure|${code}`,
      );
      expect(others).toEqual([]);
      const { valueQuantity: quantity, component = [], effectivePeriod: period } = found;
      if (quantity) expect([quantity.value, quantity.unit]).toEqual([sample.value, sample.unit]);
      else if (resource === "note") expect(found.valueString).toBe(sample.value);
      else if (resource === "hypnogram")
        expect(found.valueCodeableConcept.coding[0].code).toBe(`sleep_stage.${sample.value}`);
      else {
        const pressures = component.map(({ valueQuantity }: Body) => valueQuantity.value);
        expect(pressures).toEqual([sample.systolic, sample.diastolic]);
      }
      const times = [period?.start ?? found.effectiveDateTime, period?.end ?? found.effectiveDateTime];
      // The vital signs profiles take no period.
      const isInstant = found.meta.profile !== undefined;
      expect(times.map(Date.parse)).toEqual([sample.start, isInstant ? sample.start : sample.end].map(Date.parse));
      expect(times[0]).toMatch(/\+02:00$/);
      expect(found.subject.reference).toBe(`Patient/${userId}`);
      const read = await readFhir(service, `/Observation/${found.id}`);
      expect([read.status, read.body]).toEqual([200, found]);
    },
  );

  test("keep their ids when the source corrects a value", async () => {
    const correct = (value: number) =>
      ingestBatch(service, userId, { water: [{ timestamp: "2026-05-02T08:00:00Z", value, unit: "mL" }] });
    const read = () => readAll(service, `/Observation?patient=${userId}&code=water&date=2026-05-02`);
    await correct(200);
    const [before] = await read();
    await correct(250);
    const [after] = await read();
    expect([after.id, before.valueQuantity.value, after.valueQuantity.value]).toEqual([before.id, 200, 250]);
    expect(after.meta.lastUpdated >= before.meta.lastUpdated).toBe(true);
  });

  test("are found once on pages of any size, each page with a cursor of its own", { tags: "deep" }, async () => {
    const all = (await readAll(service, `/Observation?patient=${busyId}&_count=1000`)).map(({ id }) => id);
    expect(new Set(all).size).toBe(250);
    const pages = await readPages(service, `/Observation?patient=${busyId}&_count=100`);
    expect(pages.map(({ length }) => length)).toEqual([100, 100, 50]);
    expect(pages.flat().map(({ id }) => id)).toEqual(all);
    const everything = await readAll(service, `/Observation?patient=${userId}`);
    const byTwos = await readPages(service, `/Observation?patient=${userId}&_count=2`);
    expect(byTwos.every(({ length }) => length > 0 && length <= 2)).toBe(true);
    expect(byTwos.flat()).toEqual(everything);
  });

  test("name in the link self only the parameters that counted", async () => {
    const { body } = await search(`patient=${userId}&color=red&_count=5000`);
    expect(body.link[0]).toEqual({
      relation: "self",
      url: `${service.baseUrl}/fhir/Observation?patient=${userId}&_count=1000`,
    });
  });
});

describe("a search by code, category and date", () => {
  const codes = async (query: string) => {
    const found = await readAll(service, `/Observation?patient=Patient/${userId}&date=2026-05-01&${query}`);
    return found.map(({ code }) => code.coding.at(-1).code).toSorted();
  };

  test.each([
    ["code=8867-4", ["heartrate"]],
    ["code=http://loinc.org|8867-4,http://loinc.org|9279-1", ["heartrate", "respiratory_rate"]],
    ["code=urn:tributary:measure|8867-4", []],
    ["code=59408-5", ["blood_oxygen"]],
    ["code=8867-4&code=heartrate", ["heartrate"]],
    ["code=8867-4&code=9279-1", []],
    ["code=|8867-4", []],
    [
      "category=laboratory",
      [...["hdl", "ldl", "total", "triglycerides"].map((type) => `cholesterol.${type}`), "glucose", "ige", "igg"],
    ],
    [
      "category=laboratory&code=http://loinc.org|",
      [...["hdl", "ldl", "total", "triglycerides"].map((type) => `cholesterol.${type}`), "glucose"],
    ],
    ["category=vital-signs&code=29463-7,hrv,steps", ["body_weight", "hrv"]],
  ])("%s finds %j", async (query, expected) => {
    expect(await codes(query)).toEqual(expected);
  });

  // Glucose is an instant at 06:00 UTC, steps an interval from there to 06:05.
  test.each([
    ["date=2026", true, true],
    ["date=2026-05", true, true],
    ["date=eq2026-05-01", true, true],
    ["date=2026-05-01T08:00%2B02:00", true, false],
    ["date=2026-05-01T06:00:00Z", true, false],
    ["date=ge2026-05-01T06:00:00Z", true, true],
    ["date=gt2026-05-01T06:00:00Z", false, true],
    ["date=ge2026-05-01T06:03:00Z", false, true],
    ["date=ge2026-05-01T06:06:00Z", false, false],
    ["date=le2026-05-01T06:00:00Z", true, false],
    ["date=le2026-05-01T06:00:01Z", true, true],
    ["date=lt2026-05-01T06:00:00Z", false, false],
    ["date=ge2026-05-01&date=lt2026-05-02", true, true],
    ["date=gt2026-05-01", false, false],
    ["date=lt2026-05-01", false, false],
  ])("%s finds the instant: %s, the interval: %s", async (query, instant, interval) => {
    const found = await readAll(service, `/Observation?patient=${userId}&code=glucose,steps&${query}`);
    const names = found.map(({ code }) => code.coding.at(-1).code).toSorted();
    expect(names).toEqual([...(instant ? ["glucose"] : []), ...(interval ? ["steps"] : [])]);
  });

  test.each([
    "code=",
    "code=a|b|c",
    "date=yesterday",
    "date=2026-02-30",
    "date=sa2026-05-01",
    "_count=0",
    "_count=many",
    "_format=xml",
    "_format=application/fhir%2Bjson;fhirVersion=5.0",
    "_sort=-date",
    "_summary=count",
    "cursor=abc",
    "code:in=vital-signs",
    "_lastUpdated=yesterday",
    "_lastUpdated:missing=true",
    "patient=someone",
  ])("refuses %s with 400", async (query) => {
    const answer = await search(`patient=${userId}&${query}`);
    expect(outcomeOf(answer)).toEqual([400, FHIR, "OperationOutcome", "invalid", "validation_failed"]);
  });

  test("requires a patient", async () => {
    expect(outcomeOf(await search("code=8867-4"))).toEqual([
      400,
      FHIR,
      "OperationOutcome",
      "invalid",
      "validation_failed",
    ]);
  });

  test("refuses unknown parameters only if the caller prefers strict handling", async () => {
    const query = `patient=${userId}&color=red&code=glucose`;
    expect(resourcesOf((await search(query)).body)).toHaveLength(1);
    const strict = await search(query, { headers: { prefer: "handling=strict" } });
    expect([strict.status, strict.body.issue[0].diagnostics]).toEqual([400, "color: Unknown parameter"]);
  });

  test.each([
    ["_format=json", {}],
    ["_format=application/fhir+json", {}],
    ["_format=application/fhir%2Bjson;%20fhirVersion=4.0", {}],
    ["_format=text/json", {}],
    ["_elements=code&_summary=true&_total=accurate", {}],
    ["", { accept: "application/fhir+json;fhirVersion=4.0", prefer: "handling=lenient" }],
    ["", { accept: "application/json, */*;q=0.1" }],
  ])("answers whole resources in JSON to %j with headers %j", async (query, headers) => {
    const { status, headers: answered, body } = await search(`patient=${userId}&code=glucose&${query}`, { headers });
    expect([status, answered.get("content-type"), body.total]).toEqual([200, FHIR, undefined]);
    expect(resourcesOf(body)).toEqual(resourcesOf((await search(`patient=${userId}&code=glucose`)).body));
  });

  test("does not accept the cursor of another search", async () => {
    const { body } = await search(`patient=${busyId}&_count=10`);
    const cursor = new URL(body.link[1].url).searchParams.get("cursor");
    expect((await search(`patient=${busyId}&_count=10&cursor=${cursor}`)).status).toBe(200);
    expect((await search(`patient=${userId}&_count=10&cursor=${cursor}`)).status).toBe(400);
  });
});

describe("Patients", () => {
  test("have the id of the user and the team's own id as identifier", async () => {
    const { body } = await readFhir(service, `/Patient/${userId}`);
    expect(body).toMatchObject({
      resourceType: "Patient",
      id: userId,
      identifier: [{ system: "urn:tributary:client-user-id", value: "every resource" }],
    });
    for (const identifier of ["every%20resource", "urn:tributary:client-user-id|every%20resource"])
      expect(resourcesOf((await readFhir(service, `/Patient?identifier=${identifier}`)).body)).toEqual([body]);
    for (const identifier of [
      "nobody",
      "urn:other|every%20resource",
      "|every%20resource",
      "urn:tributary:client-user-id|",
    ]) {
      const { status, body: none } = await readFhir(service, `/Patient?identifier=${identifier}`);
      expect([identifier, status, none.entry]).toEqual([identifier, 200, undefined]);
    }
    for (const identifier of ["nobody,every%20resource", "nobody&identifier=every%20resource", "a|b|c"])
      expect((await readFhir(service, `/Patient?identifier=${identifier}`)).status).toBe(400);
  });

  test("have the user info of the team", async () => {
    const info = {
      first_name: "Ada",
      last_name: "Sample",
      email: "ada@example.com",
      phone_number: "+16025550123",
      gender: "female",
      dob: "1990-05-17",
      address: { first_line: "West Lincoln Street 1", city: "Phoenix", state: "AZ", zip: "85004", country: "US" },
    };
    const { status } = await service.call("PATCH", `/v2/user/${busyId}/info`, { body: info });
    expect(status).toBe(200);
    expect((await readFhir(service, `/Patient/${busyId}`)).body).toMatchObject({
      name: [{ family: "Sample", given: ["Ada"] }],
      gender: "female",
      birthDate: "1990-05-17",
      address: [{ postalCode: "85004" }],
    });
  });
});

describe("_lastUpdated", () => {
  test("selects by the time at which the service received samples and summaries", { tags: "deep" }, async () => {
    const patient = await service.createUser("received in two batches");
    const receive = (day: number) =>
      ingestBatch(service, patient, {
        body_weight: [{ timestamp: `2026-05-0${day}T08:00:00Z`, value: 70 + day }],
        activity: [{ calendar_date: `2026-05-0${day}`, steps: 1_000 * day }],
      });
    await receive(1);
    const before = await readAll(service, `/Observation?patient=${patient}&category=vital-signs,activity`);
    const last = before
      .map(({ meta }) => meta.lastUpdated)
      .toSorted()
      .at(-1);
    await service.advance(3_600_000);
    await receive(2);
    const days = async (condition: string) => {
      const found = await readAll(
        service,
        `/Observation?patient=${patient}&category=vital-signs,activity&_lastUpdated=${condition}`,
      );
      return found.map(({ effectiveDateTime }) => effectiveDateTime.slice(0, 10)).toSorted();
    };
    const [first, second] = [Array(2).fill("2026-05-01"), Array(2).fill("2026-05-02")];
    const time = encodeURIComponent(last);
    expect(await days(`gt${time}`)).toEqual(second);
    expect(await days(`le${time}`)).toEqual(first);
    expect(await days(`le2026-01-01`)).toEqual([]);
    expect(await days(`le${time}&_lastUpdated=gt${time}`)).toEqual([]);
    const { body } = await search(`patient=${patient}&_lastUpdated=ge${time}`);
    expect(body.entry.at(-1).resource.issue[0]).toMatchObject({ severity: "information", code: "suppressed" });
  });
});

describe("errors are OperationOutcomes", () => {
  test.each([
    ["/Patient/00000000-0000-4000-8000-000000000000", "user_not_found"],
    ["/Patient/_history", "validation_failed"],
    ["/Observation/unknown", "not_found"],
    ["/Observation/s000000000000000000000000000000000000000000000", "not_found"],
    ["/Nothing/of/this/kind", "route_not_found"],
    ["", "route_not_found"],
  ])("GET %s answers 404 with %s", async (path, code) => {
    expect(outcomeOf(await readFhir(service, path))).toEqual([404, FHIR, "OperationOutcome", "not-found", code]);
  });

  test("a request without a key answers 401", async () => {
    expect(outcomeOf(await search(`patient=${userId}`, { key: null }))).toEqual([
      401,
      FHIR,
      "OperationOutcome",
      "login",
      "unauthorized",
    ]);
  });

  test("another team's patient and Observation answer like unknown ids", async () => {
    const { key } = await service.createTeam("Another");
    const [{ id }] = (await readAll(service, `/Observation?patient=${userId}&code=glucose`)) as [Body];
    for (const path of [`/Patient/${userId}`, `/Observation/${id}`])
      expect([path, (await readFhir(service, path, { key })).status]).toEqual([path, 404]);
    const unknown = "00000000-0000-4000-8000-000000000000";
    for (const search of [
      "/Patient?identifier=every%20resource",
      ...[userId, unknown].map((one) => `/Observation?patient=${one}`),
    ]) {
      const found = await readFhir(service, search, { key });
      expect([search, found.status, found.body.entry]).toEqual([search, 200, undefined]);
    }
  });
});

test("the CapabilityStatement needs no key and names resources and parameters", async () => {
  const { status, headers, body } = await readFhir(service, "/metadata", { key: null });
  expect([status, headers.get("content-type"), body.fhirVersion]).toEqual([200, FHIR, "4.0.1"]);
  expect(body.implementation.url).toBe(`${service.baseUrl}/fhir`);
  const observation = body.rest[0].resource.find(({ type }: Body) => type === "Observation");
  expect(observation.searchParam.map(({ name }: Body) => name)).toEqual([
    "patient",
    "code",
    "category",
    "date",
    "_lastUpdated",
  ]);
});
