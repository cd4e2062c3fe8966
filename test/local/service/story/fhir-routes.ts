import { ports } from "../../../../lib/runtime/ports.ts";
import type { Answer, TestService } from "../../../support/service.ts";
import { createKey, SmartClient } from "../fhir/smart-client.ts";
import { findFunctionName } from "../support/stored-items.ts";

/** Reads a user's data by every route of the FHIR interface. */
export async function callFhirRoutes(
  service: TestService,
  forget: () => Promise<void>,
  userId: string,
  key: string,
): Promise<void> {
  const ask = async (path: string) => {
    await forget();
    return service.call("GET", `/fhir${path}`, { key });
  };
  await ask("/metadata");
  const { body } = await ask(`/Patient/${userId}`);
  await ask(`/Patient?identifier=${encodeURIComponent(body.identifier[0].value)}`);
  const found = await ask(`/Observation?patient=${userId}&code=cholesterol.ldl,activity.steps`);
  for (const { resource } of found.body.entry) {
    await ask(`/Observation/${resource.id}`);
    await ask(`/Provenance?target=Observation/${resource.id}`);
    await ask(`/Provenance/${resource.id}`);
  }
  await ask(`/Provenance?patient=${userId}&_count=1000`);
  // Past the samples, so that summaries by day are read.
  await ask(`/Observation?patient=${userId}&code=workouts,activity.steps`);
  await ask(`/Patient/${userId}/$everything?_count=10`);
}

/** Reads the devices, orders and results of users of the first team. */
export async function callFhirLabRoutes(
  service: TestService,
  forget: () => Promise<void>,
  userId: string,
): Promise<void> {
  const ask = async (path: string) => {
    await forget();
    return service.call("GET", `/fhir${path}`);
  };
  const { body } = await ask(`/ServiceRequest?patient=${userId}`);
  const orders: string[] = body.entry.map(({ resource }: { resource: { id: string } }) => resource.id);
  for (const type of ["ServiceRequest", "DiagnosticReport", "Specimen"]) {
    await ask(`/${type}?patient=${userId}`);
    for (const id of orders) await ask(`/${type}/${id}`);
  }
  const results = await ask(`/Observation?patient=${userId}&category=laboratory`);
  for (const { resource } of results.body.entry ?? []) await ask(`/Observation/${resource.id}`);
  await ask(`/Patient/${userId}/$everything`);
  await callBulkExportRoutes(service, forget, userId);
  await callSmartRoutes(service, forget);
}

/** Registers a SMART client, which gets a token. */
async function callSmartRoutes(service: TestService, forget: () => Promise<void>): Promise<void> {
  const path = `/v1/org/${service.identity.org_id}/team/${service.identity.team_id}/fhir_client`;
  const key = await createKey("ES384", "warehouse-1");
  const body = { label: "warehouse", scopes: ["system/*.rs"], jwks: { keys: [key.jwk] } };
  await forget();
  const { client_id } = (await service.manage("POST", path, { body })).body;
  await forget();
  await service.manage("GET", path);
  await forget();
  await service.call("GET", "/fhir/.well-known/smart-configuration", { key: null });
  const client = new SmartClient(service, key, client_id);
  // The clock of the functions is ahead of that of the client.
  await client.request(await client.assertion({ exp: Math.floor(ports().clock.now() / 1000) + 240 }));
  await forget();
  await service.manage("DELETE", `${path}/${client_id}`);
}

/** Exports the users of the first team: a whole export, named patients, one that is cancelled, and one that cannot start. */
async function callBulkExportRoutes(service: TestService, forget: () => Promise<void>, userId: string): Promise<void> {
  const headers = { prefer: "respond-async", accept: "application/fhir+json" };
  const patient = { name: "patient", valueReference: { reference: `Patient/${userId}` } };
  const body = { resourceType: "Parameters", parameter: [patient] };
  const pathOf = (url: string) => url.slice(service.baseUrl.length);
  const start = async (path: string) => {
    await forget();
    const isPost = path.startsWith("POST ");
    return service.call(isPost ? "POST" : "GET", path.slice(path.indexOf("/")), {
      headers,
      ...(isPost ? { body } : {}),
    });
  };
  const paths = [
    ...[
      "/fhir/Group/all/$export",
      "/fhir/Patient/$export",
      "POST /fhir/Patient/$export",
      "POST /fhir/Group/all/$export",
    ],
  ];
  const operations = ["requestFhirGroupExport", "getFhirPatient", "startFhirPatientExport", "startFhirGroupExport"];
  for (const [index, path] of paths.entries()) {
    const caller = findFunctionName(service, operations[index] ?? "");
    service.cloud.faults.add({ service: "sqs", function: caller, mode: "fail_before" });
    await start(path);
    service.cloud.faults.clear();
    const status = pathOf((await start(path)).headers.get("content-location") ?? "");
    await service.settle();
    await forget();
    const { output } = (await service.call("GET", status)).body;
    await forget();
    await fetch(output[0].url, { headers: { "x-service-api-key": service.identity.api_key } });
    await service.call("DELETE", status);
    await service.settle();
  }
  await forget();
  await service.call("GET", "/fhir/Group/all");
}

/** Reads the devices of a user. */
export async function callFhirDeviceRoutes(ask: (path: string) => Promise<Answer>, userId: string): Promise<void> {
  const { body } = await ask(`/fhir/Device?patient=${userId}`);
  await ask(`/fhir/Device/${body.entry[0].resource.id}`);
}
