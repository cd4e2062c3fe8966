import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { summaryNames } from "../../../lib/domain/summaries/summary-names.ts";
import { cholesterolTypes, getResource, resourceNames } from "../../../lib/domain/timeseries/resources.ts";
import { readFhir, readPages } from "../../local/service/fhir/fhir-helpers.ts";
import { ingestBatch } from "../../local/service/ingest/ingest-batch.ts";
import { placeOrder, simulateOrder } from "../../local/service/orders/order-helpers.ts";
import { summaryExamples } from "../../local/service/summaries/summary-examples.ts";
import { plausibleRecord } from "../../local/service/timeseries/plausible-record.ts";
import { TestService } from "../../support/service.ts";

/** Writes every resource of a user with all kinds of data, one file per type with one resource per line. */
const [directory = "fhir-resources"] = process.argv.slice(2);

const person = {
  first_name: "Ada",
  last_name: "Sample",
  email: "ada@example.com",
  phone_number: "+16025550123",
  gender: "female",
  dob: "1990-05-17",
  address: { first_line: "West Lincoln Street 1", city: "Phoenix", state: "AZ", zip: "85004", country: "US" },
};

async function ingestEverything(service: TestService, userId: string): Promise<void> {
  const source = { device: { id: "watch-1" }, app: { id: "com.example.app" } };
  const samples = resourceNames.map((name) => [name, [plausibleRecord(getResource(name))]]);
  await ingestBatch(service, userId, Object.fromEntries(samples), source);
  const cholesterol = cholesterolTypes.map((type) => ({ ...plausibleRecord(getResource("cholesterol")), type }));
  await ingestBatch(service, userId, { cholesterol }, source);
  const summaries = summaryNames.map(({ name }) => [name, [summaryExamples[name].record]]);
  await ingestBatch(service, userId, Object.fromEntries(summaries), source);
  await service.call("PATCH", `/v2/user/${userId}/info`, { body: person });
}

async function orderEverything(service: TestService, userId: string): Promise<void> {
  for (const interpretation of ["normal", "abnormal", "critical"]) {
    const order = await placeOrder(service, userId, { icd_codes: ["E11.9"], clinical_notes: "Fasting" });
    const result_types = interpretation === "normal" ? null : ["numeric", "range", "comment", "coded_value"];
    await simulateOrder(service, order.id, "", { interpretation, result_types, has_missing_results: true });
  }
  await placeOrder(service, userId);
}

/** Exports everything about a user, Provenances included. @returns the lines of the files by type. */
async function exportLines(service: TestService, userId: string): Promise<Map<string, string>> {
  const types = ["Patient", "Device", "ServiceRequest", "DiagnosticReport", "Specimen", "Observation", "Provenance"];
  const parameter = [
    { name: "patient", valueReference: { reference: `Patient/${userId}` } },
    { name: "_type", valueString: types.join(",") },
  ];
  const body = { resourceType: "Parameters", parameter };
  const started = await service.call("POST", "/fhir/Patient/$export", { body, headers: { prefer: "respond-async" } });
  await service.settle();
  const status = started.headers.get("content-location") ?? "";
  const manifest = await service.call("GET", status.slice(service.baseUrl.length));
  const lines = new Map<string, string>();
  for (const { type, url } of manifest.body.output) {
    const file = await fetch(url, { headers: { "x-service-api-key": service.identity.api_key } });
    lines.set(type, `${lines.get(type) ?? ""}${await file.text()}`);
  }
  return lines;
}

const service = await TestService.start();
try {
  const userId = await service.createUser("a full user");
  await ingestEverything(service, userId);
  await orderEverything(service, userId);
  const demo = await service.createUser("a demo user");
  await service.call("POST", "/v2/link/connect/demo", { body: { user_id: demo, provider: "apple_health_kit" } });
  await service.settle();
  const lists = [];
  for (const id of [userId, demo])
    for (const query of ["_count=1000", "_type=Provenance&_count=1000"])
      lists.push(...(await readPages(service, `/Patient/${id}/$everything?${query}`)).flat());
  const others = [
    "/metadata",
    "/Observation/unknown",
    "/Observation",
    `/Patient?identifier=nobody`,
    "/Group/all",
    `/Observation?patient=${userId}&_count=10`,
  ];
  for (const path of others) lists.push((await readFhir(service, path)).body);
  mkdirSync(directory, { recursive: true });
  for (const [type, resources] of Map.groupBy(lists, ({ resourceType }) => resourceType))
    writeFileSync(join(directory, `${type}.ndjson`), resources.map((one) => `${JSON.stringify(one)}\n`).join(""));
  for (const [type, lines] of await exportLines(service, userId))
    writeFileSync(join(directory, `exported ${type}.ndjson`), lines);
} finally {
  await service.stop();
}
