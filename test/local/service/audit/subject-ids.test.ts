import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { testSettings } from "../../../support/test-settings.ts";
import { exportManifest } from "../fhir/bulk-helpers.ts";
import { ingestBatch } from "../ingest/ingest-batch.ts";
import { lakePath } from "../lake/lake-files.ts";
import { findItemsContaining } from "../support/stored-items.ts";

const DAY_MS = 86_400_000;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start(undefined, testSettings.lake);
});
afterAll(() => service.stop());

test("no entry of the access log names an erased user: not after exports, a lake, or reads by either id of the user", async () => {
  const clientUserId = "0b7c2c7e-55a5-4f4e-9d5d-3f0f4b9c1a11";
  const userId = await service.createUser(clientUserId);
  const read = async (path: string) => (await service.call("GET", path)).status;
  await ingestBatch(service, userId, { heartrate: [{ timestamp: "2026-05-01T08:00:00Z", value: 60 }] });
  expect((await service.manage("POST", lakePath(service), { body: { enabled: true } })).status).toBe(200);
  await service.settle();
  await exportManifest(service, "/Patient/$export");
  for (const path of ["", "/$everything"]) expect(await read(`/fhir/Patient/${userId}${path}`)).toBe(200);
  expect(await read(`/v2/user/resolve/${clientUserId}`)).toBe(200);
  const { org_id, team_id } = service.identity;
  const path = `/v1/org/${org_id}/team/${team_id}/access_log?user_id=${userId}`;
  const operations = (await service.manage("GET", path)).body.entries.map(
    ({ operation }: { operation: string }) => operation,
  );
  const recorded = ["runExport", "appendToLake", "getFhirPatient", "getFhirPatientEverything", "getUserByClientUserId"];
  expect(operations).toEqual(expect.arrayContaining(recorded));
  await service.call("DELETE", `/v2/user/${userId}`);
  expect(await read(`/fhir/Patient/${userId}`)).toBe(404);
  await service.advance(7 * DAY_MS + 60_000);
  expect((await service.call("GET", `/v2/user/erasure/${userId}`)).status).toBe(200);
  const inLog = async (id: string) => (await findItemsContaining(service, id)).filter((item) => / access#/.test(item));
  for (const id of [userId, clientUserId]) expect(await inLog(id)).toEqual([]);
});
