import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, TestService } from "../../../support/service.ts";
import { ingestBatch } from "../ingest/ingest-batch.ts";
import { placeOrder, simulateOrder } from "../orders/order-helpers.ts";
import { summaryExamples } from "../summaries/summary-examples.ts";
import { readAll, readFhir, readPages, resourcesOf } from "./fhir-helpers.ts";

type Body = Answer["body"];

let service: TestService;
let userId: string;
let order: Body;
beforeAll(async () => {
  service = await TestService.start();
  userId = await service.createUser("with two watches");
  const device = summaryExamples.devices.record;
  const weight = (day: number, value: number) => ({ timestamp: `2026-05-0${day}T08:00:00Z`, value });
  const first = {
    devices: [device],
    body_weight: [weight(1, 70), weight(2, 71)],
    sleep: [summaryExamples.sleep.record],
  };
  await ingestBatch(service, userId, first, { device: { id: "watch-1" }, app: { id: "com.example.app" } });
  const second = { devices: [{ ...device, device_id: "watch-2" }], body_weight: [weight(1, 72)] };
  await ingestBatch(service, userId, second, { device: { id: "watch-2" }, provider: "oura" });
  order = await simulateOrder(service, (await placeOrder(service, userId)).id);
});
afterAll(() => service.stop());

const idsOf = (found: readonly Body[]) => found.map(({ resourceType, id }) => `${resourceType}/${id}`);

describe("Devices", () => {
  test("are the devices of the ordinary API, with the identifier that Observations name", async () => {
    const { body } = await service.call("GET", `/v2/user/${userId}/device`);
    const devices = await readAll(service, `/Device?patient=${userId}`);
    expect(devices.map(({ id }) => id)).toEqual(body.map(({ id }: Body) => id).toSorted());
    const [found, ...others] = await readAll(service, `/Device?patient=${userId}&identifier=watch-1`);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      manufacturer: "Acme",
      deviceName: [{ name: "W1", type: "model-name" }],
      version: [{ value: "9.1" }],
      identifier: [{ value: "watch-1" }],
      meta: { source: "urn:tributary:provider:apple_health_kit" },
    });
    const weights = await readAll(service, `/Observation?patient=${userId}&code=29463-7`);
    expect(weights.map((one) => [one.device.identifier.value, one.valueQuantity.value]).toSorted()).toEqual([
      ["watch-1", 70],
      ["watch-1", 71],
      ["watch-2", 72],
    ]);
    expect((await readFhir(service, `/Device/${found.id}`)).body).toEqual(found);
    const pages = await readPages(service, `/Device?patient=${userId}&_count=1`);
    expect(pages.flat()).toEqual(devices);
  });
});

describe("Provenances", () => {
  test("name provider, app and device of each Observation, under its id", async () => {
    const observations = await readAll(service, `/Observation?patient=${userId}&code=29463-7,sleep`);
    const all = await readAll(service, `/Provenance?patient=${userId}`);
    expect(all.map(({ id }) => id).toSorted()).toEqual(observations.map(({ id }) => id).toSorted());
    for (const observation of observations) {
      const target = `Observation/${observation.id}`;
      const [found] = await readAll(service, `/Provenance?target=${target}&patient=${userId}`);
      expect(found.target).toEqual([{ reference: target, type: "Observation" }]);
      expect(found.recorded).toBe(observation.meta.lastUpdated);
      expect((await readFhir(service, `/Provenance/${observation.id}`)).body).toEqual(found);
      expect(all).toContainEqual(found);
    }
    const [weight] = observations;
    const agents = all.find(({ id }) => id === weight.id).agent;
    expect(agents.map(({ type, who }: Body) => [type.coding[0].code, who.identifier.value])).toEqual([
      ["author", "apple_health_kit"],
      ["assembler", "com.example.app"],
      ["performer", "watch-1"],
    ]);
  });

  test("need a patient or a target, and results have none", async () => {
    expect((await readFhir(service, "/Provenance")).status).toBe(400);
    expect((await readFhir(service, "/Provenance?target=Patient/1")).status).toBe(400);
    expect(await readAll(service, "/Provenance?target=Observation/unknown")).toEqual([]);
    const { body } = await readFhir(service, `/DiagnosticReport/${order.id}`);
    const [id] = body.result[0].reference.split("/").slice(1);
    expect((await readFhir(service, `/Provenance/${id}`)).status).toBe(404);
  });
});

describe("$everything", () => {
  const path = () => `/Patient/${userId}/$everything`;

  test("has every resource of the patient once, on pages of any size", { tags: "deep" }, async () => {
    const types = ["Device", "DiagnosticReport", "ServiceRequest", "Specimen", "Observation"];
    const searched = await Promise.all(types.map((type) => readAll(service, `/${type}?patient=${userId}`)));
    const all = await readAll(service, path());
    expect(idsOf(all)).toEqual([`Patient/${userId}`, ...searched.flatMap(idsOf)]);
    for (const count of [1, 2, 5]) {
      const pages = await readPages(service, `${path()}?_count=${count}`);
      expect(pages.flat()).toEqual(all);
      expect(pages.every(({ length }) => length <= count)).toBe(true);
    }
  });

  test("selects types and dates", { tags: "deep" }, async () => {
    const typed = await readAll(service, `${path()}?_type=Patient,Device`);
    expect(typed.map(({ resourceType }) => resourceType)).toEqual(["Patient", "Device", "Device"]);
    const provenances = await readAll(service, `${path()}?_type=Provenance`);
    expect(provenances).toEqual(await readAll(service, `/Provenance?patient=${userId}`));
    const dated = await readAll(service, `${path()}?_type=Observation&start=2026-05-02&end=2026-05-03`);
    expect(dated.map(({ valueQuantity }) => valueQuantity.value)).toEqual([71]);
    for (const query of ["_type=Encounter", "start=soon", "start=ge2026-05-01", "_since=2026-05-01"])
      expect([query, (await readFhir(service, `${path()}?${query}`)).status]).toEqual([
        query,
        query.startsWith("_since") ? 200 : 400,
      ]);
  });

  test("leaves out orders and results without the scope labs, and says so", async () => {
    const { org_id, team_id } = service.identity;
    const to = `/v1/org/${org_id}/team_api_keys/sandbox/us`;
    const made = await service.manage("POST", to, { body: { label: "reader", team_id, scopes: ["read"] } });
    const { body } = await readFhir(service, path(), { key: made.body.value });
    const types = new Set(resourcesOf(body).map(({ resourceType }) => resourceType));
    expect([...types]).toEqual(["Patient", "Device", "Observation", "OperationOutcome"]);
  });

  test.each([`/Patient/00000000-0000-4000-8000-000000000000/$everything`, "/Patient/1/$everything"])(
    "of %s answers 404",
    async (other) => {
      expect((await readFhir(service, other)).body.resourceType).toBe("OperationOutcome");
    },
  );

  test("and Devices and Provenances of another team are unknown: reads answer 404, and searches find nothing", {
    tags: "deep",
  }, async () => {
    const { key } = await service.createTeam("Another");
    const [device] = await readAll(service, `/Device?patient=${userId}`);
    const [provenance] = await readAll(service, `/Provenance?patient=${userId}`);
    const target = `/Provenance?target=Observation/${provenance.id}`;
    const paths = [path(), `/Device/${device.id}`, `/Provenance/${provenance.id}`];
    for (const other of paths) expect([other, (await readFhir(service, other, { key })).status]).toEqual([other, 404]);
    for (const search of [
      `/Device?patient=${userId}`,
      `/Provenance?patient=${userId}`,
      target,
      `${target}&patient=${userId}`,
    ])
      expect([search, await readPages(service, search, { key })]).toEqual([search, [[]]]);
    expect((await readFhir(service, `/Patient/${userId}/$other`)).status).toBe(404);
  });
});

test("the access log names the user of every read", { tags: "deep" }, async () => {
  const { org_id, team_id } = service.identity;
  const [observation] = await readAll(service, `/Observation?patient=${userId}&code=sleep`);
  const [device] = await readAll(service, `/Device?patient=${userId}`);
  const reads = {
    getFhirPatient: `/Patient/${userId}`,
    searchFhirPatients: "/Patient?identifier=with%20two%20watches",
    getFhirPatientEverything: `/Patient/${userId}/$everything?_count=1`,
    searchFhirObservations: `/Observation?patient=${userId}`,
    getFhirObservation: `/Observation/${observation.id}`,
    searchFhirDevices: `/Device?patient=${userId}`,
    getFhirDevice: `/Device/${device.id}`,
    searchFhirProvenances: `/Provenance?patient=${userId}`,
    getFhirProvenance: `/Provenance/${observation.id}`,
    searchFhirLabResources: `/ServiceRequest?patient=${userId}`,
    getFhirLabResource: `/ServiceRequest/${order.id}`,
  };
  for (const path of Object.values(reads)) expect((await readFhir(service, path)).status).toBe(200);
  const { body } = await service.manage("GET", `/v1/org/${org_id}/team/${team_id}/access_log`);
  const subject = createHash("sha256").update(`${team_id}/${userId}`).digest("hex");
  const ofUser = body.entries.filter((entry: Body) => entry.subject === subject && entry.status === 200);
  const named = new Set(ofUser.map(({ operation }: Body) => operation));
  expect(Object.keys(reads).filter((operation) => !named.has(operation))).toEqual([]);
});
