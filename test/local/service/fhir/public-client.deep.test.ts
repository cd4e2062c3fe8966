// @module-tag deep
import { Client, type FhirResource } from "fhir-kit-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Answer, TestService } from "../../../support/service.ts";
import { placeOrder, simulateOrder } from "../orders/order-helpers.ts";
import { readFiles } from "./bulk-helpers.ts";
import { readAll, resourcesOf } from "./fhir-helpers.ts";
import { createKey, SmartClient } from "./smart-client.ts";

type Body = Answer["body"];

const types = ["Patient", "Observation", "DiagnosticReport", "ServiceRequest", "Specimen", "Device"];

let service: TestService;
let userId: string;
let client: Client;
beforeAll(async () => {
  service = await TestService.start();
  userId = await service.createUser("read by a public client");
  await service.call("POST", "/v2/link/connect/demo", { body: { user_id: userId, provider: "apple_health_kit" } });
  await simulateOrder(service, (await placeOrder(service, userId)).id);
  await service.settle();
  client = new Client({ baseUrl: `${service.baseUrl}/fhir`, bearerToken: await createToken() });
});
afterAll(() => service.stop());

async function createToken(): Promise<string> {
  const key = await createKey("ES384");
  const { org_id, team_id } = service.identity;
  const body = { label: "public client", scopes: ["system/*.rs"], jwks: { keys: [key.jwk] } };
  const registered = await service.manage("POST", `/v1/org/${org_id}/team/${team_id}/fhir_client`, { body });
  const { authorization } = await new SmartClient(service, key, registered.body.client_id).authorize("system/*.rs");
  return authorization.slice("Bearer ".length);
}

/** Reads all pages of a search with the client. */
async function search(resourceType: string): Promise<Body[]> {
  const found: Body[] = [];
  const searchParams: Record<string, string> =
    resourceType === "Patient"
      ? { identifier: "read by a public client" }
      : { patient: userId, ...(resourceType === "Observation" ? { _count: "500" } : {}) };
  let page: FhirResource | undefined = await client.search({ resourceType, searchParams });
  while (page !== undefined) {
    found.push(...resourcesOf(page));
    page = await client.nextPage({ bundle: page as FhirResource & { link: { relation: string; url: string }[] } });
  }
  return found;
}

/** Exports all users with the client. It reads JSON, so the NDJSON files are read without it. */
async function exportAll(): Promise<Body[]> {
  const options = { headers: { prefer: "respond-async" } };
  const started = await client.operation({ name: "$export", resourceType: "Patient", method: "GET", options });
  const status = Client.httpFor(started).response?.headers.get("content-location") ?? "";
  await service.settle();
  return readFiles(service, await client.request(status));
}

const inOrder = (resources: readonly Body[]) => resources.toSorted((one, other) => (one.id < other.id ? -1 : 1));

test("fhir-kit-client reads a user of demo data by search and by bulk export, with equal resources", async () => {
  const exported = Map.groupBy(await exportAll(), ({ resourceType }) => resourceType);
  const expected = Map.groupBy(
    await readAll(service, `/Patient/${userId}/$everything?_count=1000`),
    (one) => one.resourceType,
  );
  expect(expected.get("Observation")?.length).toBeGreaterThan(1_000);
  for (const type of types) {
    const found = inOrder(await search(type));
    expect([type, found.length]).toEqual([type, expected.get(type)?.length ?? 0]);
    expect(found).toEqual(inOrder(expected.get(type) ?? []));
    expect(inOrder(exported.get(type) ?? [])).toEqual(found);
  }
});

test("fhir-kit-client finds the token endpoint, reads by id, and gets an OperationOutcome for an unknown id", async () => {
  const { tokenUrl } = await client.smartAuthMetadata();
  expect(String(tokenUrl)).toBe(`${service.baseUrl}/fhir/auth/token`);
  expect(await client.read({ resourceType: "Patient", id: userId })).toMatchObject({ id: userId });
  const unknown = client.read({ resourceType: "Observation", id: "unknown" });
  await expect(unknown).rejects.toMatchObject({
    response: { status: 404, data: { resourceType: "OperationOutcome" } },
  });
});
