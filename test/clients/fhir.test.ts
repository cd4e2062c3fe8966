import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { exportJWK } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readLines } from "../local/service/fhir/bulk-helpers.ts";
import { readAll } from "../local/service/fhir/fhir-helpers.ts";
import { createKey } from "../local/service/fhir/smart-client.ts";
import { createHeartRates, ingestBatch } from "../local/service/ingest/ingest-batch.ts";
import { placeOrder, simulateOrder } from "../local/service/orders/order-helpers.ts";
import { TestService } from "../support/service.ts";

const BIN = "node_modules/.cache/public-clients/python/bin";

let service: TestService;
let userId: string;
let directory: string;
beforeAll(async () => {
  service = await TestService.start();
  directory = mkdtempSync(join(tmpdir(), "tributary-fhir-"));
  userId = await service.createUser("read by public clients");
  await ingestBatch(service, userId, {
    heartrate: createHeartRates("2026-05-01T08:00:00Z", 250),
    blood_pressure: [{ timestamp: "2026-05-01T08:00:00Z", systolic: 121, diastolic: 79 }],
    activity: [{ calendar_date: "2026-05-01", steps: 7_000 }],
    sleep: [{ bedtime_start: "2026-04-30T22:00:00Z", bedtime_stop: "2026-05-01T06:00:00Z", total: 25_000 }],
  });
  await simulateOrder(service, (await placeOrder(service, userId)).id);
});
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  await service.stop();
});

/** Runs a command, and lets the service work meanwhile. @returns its output. */
async function run(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(join(BIN, command), args, { env: { ...process.env, PYTHONWARNINGS: "ignore" } });
  const ended = once(child, "exit");
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  while (child.exitCode === null) {
    await service.settle();
    await Promise.race([ended, setTimeout(200)]);
  }
  const [out, error] = await output;
  if (child.exitCode !== 0) throw new Error(`${out}\n${error}`.trim().split("\n").slice(-15).join("\n"));
  return out;
}

const byId = (resources: readonly { readonly id: string }[]) => resources.toSorted((a, b) => (a.id < b.id ? -1 : 1));

test("SMART's Python client reads a patient and searches Observations page by page", async () => {
  const { api_key } = service.identity;
  for (const code of ["8867-4", "85354-9", "41950-7", "93832-4"]) {
    const out = await run("python", [
      "test/clients/read_fhir.py",
      `${service.baseUrl}/fhir`,
      api_key,
      userId,
      code,
      "100",
    ]);
    const { patient, observations } = JSON.parse(out);
    expect(patient).toMatchObject({ resourceType: "Patient", id: userId });
    const expected = await readAll(service, `/Observation?patient=${userId}&code=${code}`);
    expect(expected.length).toBe(code === "8867-4" ? 250 : 1);
    expect(byId(observations)).toEqual(byId(expected));
  }
});

test("smart-fetch exports all users with a token of SMART Backend Services", async () => {
  const key = await createKey("ES384", "export");
  const { org_id, team_id } = service.identity;
  const body = { label: "smart-fetch", scopes: ["system/*.rs"], jwks: { keys: [key.jwk] } };
  const registered = await service.manage("POST", `/v1/org/${org_id}/team/${team_id}/fhir_client`, { body });
  const jwk = { ...(await exportJWK(key.privateKey)), kid: key.kid, alg: key.algorithm, key_ops: ["sign"] };
  const keyFile = join(directory, "key.jwks");
  writeFileSync(keyFile, JSON.stringify({ keys: [jwk] }));
  const folder = join(directory, "export");
  await run("smart-fetch", [
    ...["bulk", folder, "--group", "all", "--fhir-url", `${service.baseUrl}/fhir`, "--no-compression"],
    ...["--smart-client-id", registered.body.client_id, "--smart-key", keyFile, "--no-default-filters"],
    ...["--type", "Patient,Observation,ServiceRequest,DiagnosticReport,Device"],
  ]);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ndjson") && name !== "log.ndjson",
  );
  const exported = files.flatMap((name) => readLines(readFileSync(join(folder, name), "utf8")));
  const everything = await readAll(service, `/Patient/${userId}/$everything`);
  const expected = everything.filter(({ resourceType }) => resourceType !== "Specimen");
  expect(byId(exported)).toEqual(byId(expected));
});
