import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, TestService } from "../../../support/service.ts";
import { placeOrder, simulateOrder } from "../orders/order-helpers.ts";
import {
  createLabKey,
  createLabSender,
  createOpenOrder,
  createOruMessage,
  requisitionOf,
} from "../results/result-helpers.ts";
import { readAll, readFhir, readPages, resourcesOf } from "./fhir-helpers.ts";

type Body = Answer["body"];

let service: TestService;
let userId: string;
let done: Body;
let reported: Body;
let open: Body;
let readKey: string;
beforeAll(async () => {
  service = await TestService.start();
  userId = await service.createUser("whose results");
  const placed = await placeOrder(service, userId, { icd_codes: ["E11.9"], clinical_notes: "Fasting since midnight" });
  done = await simulateOrder(service, placed.id, "", { interpretation: "abnormal" });
  const send = createLabSender(service, await createLabKey(service));
  reported = await createOpenOrder(service, userId);
  const message = { control: "c-1", requisition: requisitionOf(reported), sample: "S-1", value: "<30", flag: "LL" };
  expect((await send(createOruMessage(message))).code).toBe("AA");
  open = await createOpenOrder(service, userId);
  await send(createOruMessage({ control: "c-2", requisition: requisitionOf(open), status: "P" }));
  await service.settle();
  const { org_id, team_id } = service.identity;
  const path = `/v1/org/${org_id}/team_api_keys/sandbox/us`;
  const made = await service.manage("POST", path, { body: { label: "reader", team_id, scopes: ["read"] } });
  readKey = made.body.value;
  await enablePartialResults(false);
});
afterAll(() => service.stop());

const enablePartialResults = async (partial_webhooks_enabled: boolean) => {
  const { org_id, team_id } = service.identity;
  const body = { sandbox: { partial_webhooks_enabled } };
  await service.manage("PATCH", `/v1/org/${org_id}/team/${team_id}`, { body });
  await service.advance(61_000);
};
const read = async (path: string): Promise<Body> => {
  const { status, body } = await readFhir(service, path);
  expect([path, status]).toEqual([path, 200]);
  return body;
};
const resultOf = async (order: Body): Promise<Body> => (await service.call("GET", `/v3/order/${order.id}/result`)).body;

describe("results of orders", () => {
  test("are Observations with the values, ranges and interpretations of the ordinary API", {
    tags: "deep",
  }, async () => {
    const { results, metadata } = await resultOf(done);
    const { result } = await read(`/DiagnosticReport/${done.id}`);
    expect(result).toHaveLength(results.length);
    const seen = new Set<string>();
    for (const [index, value] of results.entries()) {
      const found = await read(`/${result[index].reference}`);
      expect(found.code.coding[0]).toEqual({ system: "http://loinc.org", code: value.loinc });
      expect(found.code.text).toBe(value.name);
      const { valueQuantity: quantity, valueString, valueCodeableConcept } = found;
      if (quantity) expect([quantity.value, quantity.unit ?? null]).toEqual([value.value, value.unit]);
      else expect(valueString ?? valueCodeableConcept.text).toBe(value.result);
      const [range] = found.referenceRange ?? [];
      expect([range?.low?.value ?? null, range?.high?.value ?? null, range?.text ?? null]).toEqual([
        value.min_range_value,
        value.max_range_value,
        value.reference_range,
      ]);
      seen.add(`${value.interpretation} ${found.interpretation?.[0].coding[0].code}`);
      expect(found).toMatchObject({
        status: "final",
        effectiveDateTime: metadata.date_collected,
        basedOn: [{ reference: `ServiceRequest/${done.id}` }],
        specimen: { reference: `Specimen/${done.id}` },
      });
    }
    expect([...seen].filter((one) => !/^(normal N|abnormal [HLA])$/.test(one))).toEqual([]);
    expect([...seen].some((one) => one.startsWith("abnormal"))).toBe(true);
  });

  test("keep comparison signs and critical flags", async () => {
    const [found] = await readAll(service, `/Observation?patient=${userId}&code=2345-7&date=2026-05-01`);
    expect(found).toMatchObject({
      valueQuantity: { value: 30, comparator: "<", unit: "mg/dL", code: "mg/dL" },
      interpretation: [{ coding: [{ code: "LL" }] }],
      referenceRange: [{ low: { value: 70 }, high: { value: 99 }, text: "70-99" }],
    });
  });

  test("are found by category, beside other laboratory values", { tags: "deep" }, async () => {
    const all = await readAll(service, `/Observation?patient=${userId}&category=laboratory`);
    const { results } = await resultOf(done);
    expect(all).toHaveLength(results.length + 1);
    expect(await readAll(service, `/Observation?patient=${userId}&category=vital-signs`)).toEqual([]);
    const byThrees = await readPages(service, `/Observation?patient=${userId}&_count=3`);
    expect(byThrees.flat()).toEqual(all);
  });
});

describe("DiagnosticReports, ServiceRequests and Specimens", () => {
  const statusesOf = async (path: string) => {
    const found = await readAll(service, `/${path}`);
    return Object.fromEntries(found.map(({ id, status }) => [id, status]));
  };

  test("belong to orders by their id", async () => {
    expect(await statusesOf(`ServiceRequest?patient=${userId}`)).toEqual({
      [done.id]: "completed",
      [reported.id]: "completed",
      [open.id]: "active",
    });
    expect(await statusesOf(`DiagnosticReport?patient=${userId}`)).toEqual({
      [done.id]: "final",
      [reported.id]: "final",
    });
    const specimens = await readAll(service, `/Specimen?patient=${userId}`);
    expect(specimens.map(({ id }) => id)).toContain(reported.id);
    for (const type of ["ServiceRequest", "DiagnosticReport", "Specimen"]) {
      const pages = await readPages(service, `/${type}?patient=${userId}&_count=1`);
      for (const [one] of pages) expect(await read(`/${type}/${one.id}`)).toEqual(one);
    }
  });

  test("have the fields of the order", async () => {
    expect(await read(`/ServiceRequest/${done.id}`)).toMatchObject({
      intent: "order",
      priority: "routine",
      code: { text: done.lab_test.name },
      authoredOn: done.created_at,
      reasonCode: [{ coding: [{ system: "http://hl7.org/fhir/sid/icd-10-cm", code: "E11.9" }] }],
      note: [{ text: "Fasting since midnight" }],
    });
    expect((await read(`/Specimen/${reported.id}`)).accessionIdentifier.value).toBe("S-1");
    expect(await read(`/DiagnosticReport/${reported.id}`)).toMatchObject({
      identifier: [{ value: "R-c-1" }],
      category: [{ coding: [{ code: "LAB" }] }],
      specimen: [{ reference: `Specimen/${reported.id}` }],
    });
  });

  test.each([
    ["ServiceRequest", "status=active", () => [open.id]],
    ["ServiceRequest", "status=active,completed", () => [done.id, reported.id, open.id]],
    ["ServiceRequest", "authored=lt2020", () => []],
    ["DiagnosticReport", "date=2026-05-01", () => [reported.id]],
    ["DiagnosticReport", "status=partial", () => []],
    ["Specimen", "collected=gt2020", () => [done.id, reported.id]],
  ])("of type %s are found by %s", async (type, query, expected) => {
    const found = await readAll(service, `/${type}?patient=${userId}&${query}`);
    expect(found.map(({ id }) => id)).toEqual(expected());
  });

  test("accept only their own parameters in strict handling", async () => {
    const headers = { prefer: "handling=strict" };
    const search = (query: string) => readFhir(service, `/Specimen?patient=${userId}&${query}`, { headers });
    expect((await search("collected=gt2020")).status).toBe(200);
    for (const query of ["status=final", "authored=2026"]) expect((await search(query)).status).toBe(400);
  });

  test("show partial results only if the team enabled them", { tags: "deep" }, async () => {
    expect((await readFhir(service, `/DiagnosticReport/${open.id}`)).status).toBe(404);
    await enablePartialResults(true);
    expect((await read(`/DiagnosticReport/${open.id}`)).status).toBe("partial");
    const [found] = (await readAll(service, `/Observation?patient=${userId}&code=2345-7`)).slice(-1);
    expect(found.status).toBe("preliminary");
    await enablePartialResults(false);
  });
});

describe("access to results", () => {
  test("needs the scope labs; searches say what they leave out", async () => {
    for (const path of [`/ServiceRequest?patient=${userId}`, `/DiagnosticReport/${done.id}`]) {
      const { status, body } = await readFhir(service, path, { key: readKey });
      expect([status, body.issue[0].code]).toEqual([403, "forbidden"]);
    }
    const { result } = await read(`/DiagnosticReport/${done.id}`);
    expect((await readFhir(service, `/${result[0].reference}`, { key: readKey })).status).toBe(403);
    const { body } = await readFhir(service, `/Observation?patient=${userId}`, { key: readKey });
    expect(body.entry.map(({ search }: Body) => search.mode)).toEqual(["outcome"]);
    expect(resourcesOf(body)[0].issue[0]).toMatchObject({ severity: "information", code: "suppressed" });
    const vitals = await readFhir(service, `/Observation?patient=${userId}&category=vital-signs`, { key: readKey });
    expect(vitals.body).not.toHaveProperty("entry");
  });

  test("of another team answers like an unknown id", async () => {
    const { key } = await service.createTeam("Another");
    const { result } = await read(`/DiagnosticReport/${done.id}`);
    const found = await readFhir(service, `/ServiceRequest?patient=${userId}`, { key });
    expect([found.status, found.body.entry]).toEqual([200, undefined]);
    const paths = [`/${result[0].reference}`];
    for (const type of ["ServiceRequest", "DiagnosticReport", "Specimen"]) paths.push(`/${type}/${done.id}`);
    for (const path of paths) expect([path, (await readFhir(service, path, { key })).status]).toEqual([path, 404]);
  });

  test.each(["/Nothing", "/Nothing/1", "/ServiceRequest/1", "/Specimen/00000000-0000-4000-8000-000000000000"])(
    "of %s answers 404",
    async (path) => {
      const { status, body } = await readFhir(service, path);
      expect([status, body.resourceType]).toEqual([404, "OperationOutcome"]);
    },
  );
});
