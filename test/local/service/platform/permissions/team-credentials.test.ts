import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { teamRoleVariable } from "../../../../../lib/contract/team/team-role.ts";
import { readAssumableRoles } from "../../../../../lib/local/sts/assumable-roles.ts";
import { TestService } from "../../../../support/service.ts";
import { testSettings } from "../../../../support/test-settings.ts";
import { ingestBatch } from "../../ingest/ingest-batch.ts";
import { findFunctionName } from "../../support/stored-items.ts";
import { asIfOf, removeTeamChecks } from "../isolation/unchecked-team.ts";

const HOUR_MS = 3_600_000;
const SAMPLE = { timestamp: "2026-05-01T09:00:00Z", value: 61 };
const directory = mkdtempSync(join(tmpdir(), "unchecked-team-"));

let service: TestService;
let other: { teamId: string; key: string };
/** A user of the calling team, and one of the other team. */
let [own, foreign] = ["", ""];

beforeAll(async () => {
  service = await TestService.start(undefined, testSettings.teamCredentials);
  other = await service.createTeam("Other");
  own = await service.createUser("of the caller");
  foreign = await service.createUser("of the other team", other.key);
  for (const [userId, options] of [
    [own, {}],
    [foreign, { key: other.key }],
  ] as const)
    await ingestBatch(service, userId, { heartrate: [SAMPLE] }, options);
  await service.settle();
});
afterEach(() => service.cloud.faults.clear());
afterAll(async () => {
  await service.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Number of team sessions that a function has begun. */
function sessionsOf(operationId: string): number {
  const { functions } = service.cloud.meter.snapshot();
  const roles = Object.values(functions[findFunctionName(service, operationId)]?.roles ?? {});
  return roles.reduce((sum, { AssumeRole }) => sum + (AssumeRole?.requests ?? 0), 0);
}

const heartRates = (userId: string) =>
  `/v2/timeseries/${userId}/heartrate/grouped?start_date=2026-05-01&end_date=2026-05-02`;
const readLog = () => readFileSync(service.data.file("functions.log"), "utf8");

describe("credentials of a team", () => {
  test("read and write the data of the team as before", async () => {
    expect((await service.call("GET", `/v2/user/${own}`)).body.client_user_id).toBe("of the caller");
    expect(JSON.stringify((await service.call("GET", heartRates(own))).body)).toContain("61");
    const changed = await service.call("PATCH", `/v2/user/${own}`, { body: { client_user_id: "renamed" } });
    expect(changed.status).toBeLessThan(300);
    expect((await service.call("GET", `/v2/user/${foreign}`)).status).toBe(404);
    expect(readLog()).not.toContain("AccessDenied");
  });

  test("are assumed once for a function and team, and again shortly before they expire", async () => {
    const read = (times: number, key?: string) =>
      Promise.all(
        Array.from({ length: times }, () => service.call("GET", `/v2/user/${own}`, key === undefined ? {} : { key })),
      );
    await read(5);
    const before = sessionsOf("getUser");
    await read(20);
    expect(sessionsOf("getUser") - before).toBe(0);
    await read(5, other.key);
    await service.advance(HOUR_MS);
    expect((await read(5)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(sessionsOf("getUser") - before).toBe(2);
  });

  test("that cannot be had make a request fail as busy, and the next one succeeds", async () => {
    await service.advance(HOUR_MS);
    service.cloud.faults.add({ service: "sts", mode: "fail_before" });
    const answer = await service.call("GET", `/v2/user/${own}`);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    service.cloud.faults.clear();
    expect((await service.call("GET", `/v2/user/${own}`)).status).toBe(200);
  });
});

/** Requests for the data of a team, in place of the caller's team. */
const requests = [
  ["getUser", "GET", () => `/v2/user/${foreign}`, undefined],
  ["listUsers", "GET", () => "/v2/user", undefined],
  ["getGroupedTimeseries", "GET", () => heartRates(foreign), undefined],
  ["createUser", "POST", () => "/v2/user", { client_user_id: "planted" }],
  ["patchUser", "PATCH", () => `/v2/user/${foreign}`, { client_user_id: "taken over" }],
  ["deleteUser", "DELETE", () => `/v2/user/${foreign}`, undefined],
] as const;

describe("without the check of the team in the code", () => {
  beforeAll(async () => {
    const operations = requests.map(([operationId]) => operationId);
    await removeTeamChecks(service, operations, directory);
  });

  test.each(requests)("%s gets AccessDenied from the front", async (_, method, path, body) => {
    const before = readLog().length;
    const answer = await asIfOf(other.teamId, () => service.call(method, path(), body ? { body } : {}));
    expect([answer.status, answer.body.code]).toEqual([500, "internal_error"]);
    expect(JSON.stringify(answer.body)).not.toContain("of the other team");
    expect(readLog().slice(before)).toContain("AccessDenied");
  });

  test("the other team has lost and gained nothing", async () => {
    const { users } = (await service.call("GET", "/v2/user", { key: other.key })).body;
    expect(users.map((user: { client_user_id: string }) => user.client_user_id)).toEqual(["of the other team"]);
  });

  test.each(requests)(
    "%s reaches the other team with the policies of a deployment without the option",
    async (...request) => {
      const [operationId, method, path, body] = request;
      const name = findFunctionName(service, operationId);
      const kept = service.cloud.policies.get(name) ?? [];
      const variable = teamRoleVariable(operationId);
      const role = process.env[variable] ?? "";
      const forAnyTeam = readAssumableRoles(service.cloud.assembly).get(role)?.statementsFor({ team_id: "*" }) ?? [];
      service.cloud.policies.set(name, [...kept, ...forAnyTeam]);
      delete process.env[variable];
      const answer = await asIfOf(other.teamId, () => service.call(method, path(), body ? { body } : {}));
      process.env[variable] = role;
      service.cloud.policies.set(name, kept);
      expect([forAnyTeam.length > 0, answer.status < 300]).toEqual([true, true]);
    },
  );
});
