import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { AuditEntry } from "../../../../lib/domain/audit/audit-entry.ts";
import { TestService } from "../../../support/service.ts";
import { findFunctionName } from "../support/stored-items.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterEach(() => service.cloud.faults.clear());
afterAll(() => service.stop());

const createTeam = (name: string) =>
  service.manage("POST", `/v1/org/${service.identity.org_id}/team`, { body: { name, region: "us" } });
const read = (query = "", options = {}) =>
  service.manage("GET", `/v1/org/${service.identity.org_id}/audit_log${query}`, options);
const entries = async (query = ""): Promise<AuditEntry[]> => (await read(query)).body.entries;
const newest = async (operation: string) => (await entries()).find((entry) => entry.operation === operation);
const teamsNamed = async (name: string) =>
  (await service.manage("GET", `/v1/org/${service.identity.org_id}/team?search_query=${name}`)).body.teams;

test("a call is recorded with its key, the ids of its path and its outcome, but without its content", async () => {
  const { org_id, management_key } = service.identity;
  const { status, headers } = await createTeam("Noted");
  const entry = await newest("createTeam");
  expect(entry).toEqual({
    id: headers.get("x-request-id"),
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    key_id: expect.any(String),
    session_id: null,
    actor: null,
    operation: "createTeam",
    target: { org_id },
    status,
  });
  expect(management_key).toContain(entry?.key_id);
  expect(JSON.stringify(await entries())).not.toContain("Noted");
});

test("a refused call is recorded, also one under the path of another organization", async () => {
  await createTeam("<refused>");
  expect((await newest("createTeam"))?.status).toBe(422);
  const foreign = randomUUID();
  await service.manage("GET", `/v1/org/${foreign}/team`);
  expect(await newest("listTeams")).toMatchObject({ status: 404, target: { org_id: foreign } });
});

test("a call without a valid key is not recorded", async () => {
  const before = (await entries()).length;
  await service.manage("GET", `/v1/org/${service.identity.org_id}/team`, { key: "mg_wrong" });
  // The preceding read of the log is recorded itself.
  expect((await entries()).length).toBe(before + 1);
});

test("a call that cannot be recorded has no effect", async () => {
  await createTeam("Warm");
  const fault = { service: "dynamodb", mode: "fail_before", at_call: 1, every_attempt: true } as const;
  service.cloud.faults.add({ ...fault, function: findFunctionName(service, "createTeam") });
  const { status, body } = await createTeam("Unnoted");
  expect([status, body.code]).toEqual([503, "unavailable"]);
  service.cloud.faults.clear();
  expect(await teamsNamed("Unnoted")).toEqual([]);
});

test("a call whose end cannot be recorded is answered, and stays recorded as started", async () => {
  await createTeam("Warm again");
  const fault = { service: "dynamodb", mode: "fail_before", at_call: 3, every_attempt: true } as const;
  service.cloud.faults.add({ ...fault, function: findFunctionName(service, "createTeam") });
  expect((await createTeam("Half noted")).status).toBe(200);
  expect(service.cloud.faults.list()[0]?.struck).toBeGreaterThan(0);
  expect((await newest("createTeam"))?.status).toBeNull();
});

test("entries are listed newest first, in pages that omit and repeat none", { tags: "deep" }, async () => {
  for (let call = 0; call < 110; call++) await service.manage("GET", `/v1/org/${service.identity.org_id}/team`);
  const end = new Date(service.cloud.clock.now() + 1).toISOString();
  const first = (await read(`?end_at=${end}`)).body;
  expect(first.entries.length).toBe(100);
  const second = (await read(`?end_at=${end}&next_cursor=${first.next_cursor}`)).body;
  const ids = [...first.entries, ...second.entries].map(({ id }: AuditEntry) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const times = [...first.entries, ...second.entries].map(({ at }: AuditEntry) => at);
  expect(times).toEqual(times.toSorted().reverse());
  expect((await read(`?next_cursor=${first.next_cursor}`)).status).toBe(422);
});

test("a time range limits the entries, and a range that ends before it starts is refused", {
  tags: "deep",
}, async () => {
  await service.advance(60_000);
  const start = new Date(service.cloud.clock.now()).toISOString();
  await createTeam("In range");
  expect((await entries(`?start_at=${start}`)).map(({ operation }) => operation)).toEqual([
    "listAuditLog",
    "createTeam",
  ]);
  expect((await entries(`?end_at=${start}`)).some(({ at }) => at >= start)).toBe(false);
  expect((await read(`?start_at=${start}&end_at=2020-01-01T00:00:00Z`)).status).toBe(422);
});
