import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../functions/index.ts";
import type { EndpointContract } from "../../lib/contract/endpoint.ts";
import { summaryNames } from "../../lib/domain/summaries/summary-names.ts";
import type { Answer } from "../support/service.ts";
import { ContractWorld, dataProvider } from "./contract-world.ts";
import { recordDay, recordInstant } from "./records.ts";
import { checkInstants, checkUuids, listFields } from "./wire-values.ts";

let world: ContractWorld;
beforeAll(async () => {
  world = await ContractWorld.start();
});
afterAll(() => world.stop());

const call = (method: string, path: string, options = {}) => world.service.call(method, path, options);
const read = async (path: string): Promise<Answer["body"]> => (await call("GET", path)).body;
const steps = (userId: string, query = "") =>
  call("GET", `/v2/timeseries/${userId}/steps/grouped?start_date=${recordDay}${query}`);
const teams = (orgId: string) => world.service.manage("GET", `/v1/org/${orgId}/team`);

/** Sends records of one source and waits until the service stores and publishes them. */
async function push(userId: string, resources: object): Promise<void> {
  const body = { provider: dataProvider, source_type: "watch", resources };
  const { status } = await call("POST", `/v2/ingest/${userId}`, { body });
  expect(status).toBe(202);
  await world.service.settle();
}

describe("answers and events", () => {
  async function everything(): Promise<unknown[]> {
    const { userId, service } = world;
    const summaries = summaryNames
      .filter(({ hasEvents }) => hasEvents)
      .map(({ name }) => `/v2/summary/${name}/${userId}`);
    const series = ["steps", "note", "blood_pressure"].map((name) => `/v2/timeseries/${userId}/${name}/grouped`);
    const ranged = [...summaries, ...series].map((path) => read(`${path}?start_date=${recordDay}`));
    const users = ["/v2/user", `/v2/user/${userId}`, "/v2/user/nobody"].map(read);
    const own = await Promise.all([...ranged, ...users]);
    return [...own, (await teams(service.identity.org_id)).body, (await service.inbox()).map(({ body }) => body)];
  }

  test("write every instant as ISO 8601 [conventions-01]", async () => {
    const { found, bad } = checkInstants(listFields(await everything()));
    expect(found).toBeGreaterThan(50);
    expect(bad).toEqual([]);
  });

  test("write every identifier as a UUID [conventions-03]", async () => {
    const { found, bad } = checkUuids(listFields(await everything()));
    expect(found).toBeGreaterThan(50);
    expect(bad).toEqual([]);
  });

  test("are JSON, including errors, and requests must be JSON [conventions-02]", async () => {
    const paths = ["/v2/user", `/v2/user/${world.userId}`, "/v2/user/nobody", "/nowhere", "/openapi.json"];
    for (const path of paths) {
      expect((await call("GET", path)).headers.get("content-type"), path).toMatch(/^application\/json/);
    }
    expect((await call("POST", "/v2/user", { body: "client_user_id=ada" })).status).toBe(400);
  });
});

describe("credentials", () => {
  /** A path of the route with any parameter values. */
  const pathOf = ({ path }: EndpointContract) => path.replaceAll(/\{\w+\}/g, "x");
  const ofTeams = endpoints.filter(({ auth }) => auth === "team");
  const ofManagement = endpoints.filter(({ auth }) => auth === "management");

  test("of a team, not of management, are required by the main interface [authentication-01] [authentication-04]", async () => {
    expect(ofTeams.length).toBeGreaterThan(10);
    for (const contract of ofTeams) {
      for (const key of [null, world.service.identity.management_key]) {
        const { status, body } = await call(contract.method, pathOf(contract), { key });
        // The endpoint for agents answers JSON-RPC, and FHIR an OperationOutcome.
        const code = body.code ?? body.error?.data.code ?? body.issue?.[0].details.coding[0].code;
        expect([contract.operationId, status, code]).toEqual([contract.operationId, 401, "unauthorized"]);
      }
    }
  });

  test("of a team are refused by every endpoint of the management interface [authentication-03]", async () => {
    const key = world.service.identity.api_key;
    for (const contract of ofManagement) {
      const { status, body } = await world.service.manage(contract.method, pathOf(contract), { key });
      expect([contract.operationId, status, body.code]).toEqual([contract.operationId, 401, "unauthorized"]);
    }
  });
});

describe("grouped timeseries", () => {
  test("are read by the UUID of a user [timeseries-01]", async () => {
    expect((await steps(world.userId)).status).toBe(200);
    expect((await steps(randomUUID())).status).toBe(404);
    expect((await steps(world.clientUserId)).status).toBe(422);
  });

  test("are lists of groups by provider, empty without data [timeseries-11] [grouped-timeseries-fields-01]", async () => {
    const { groups } = (await steps(world.userId)).body;
    expect(Object.keys(groups)).toEqual([dataProvider]);
    expect(groups[dataProvider]).toEqual([expect.any(Object)]);
    expect((await steps(await world.newUser())).body.groups).toEqual({});
  });

  test("name the source of each group and list its samples [grouped-timeseries-fields-02] [grouped-timeseries-fields-03]", async () => {
    const [group] = (await steps(world.userId)).body.groups[dataProvider];
    expect(group.source).toMatchObject({ provider: dataProvider, type: "watch" });
    const [sample, ...others] = group.data;
    expect(others).toEqual([]);
    expect(sample).toMatchObject({ unit: "count", value: expect.any(Number) });
    expect([Date.parse(sample.start), Date.parse(sample.end)]).toEqual([
      Date.parse(recordInstant),
      Date.parse(recordInstant) + 60_000,
    ]);
  });

  test("cover all providers unless a request names one [timeseries-08]", async () => {
    const absent = await steps(world.userId);
    const empty = await steps(world.userId, "&provider=");
    expect(absent.body.groups[dataProvider]).toHaveLength(1);
    expect(empty.body).toEqual(absent.body);
  });

  test("keep only the latest value of a bucket that its source resends [events-21] [events-22]", async () => {
    const userId = await world.newUser();
    const bucket = { start: `${recordDay}T10:00:00Z`, end: `${recordDay}T10:15:00Z` };
    for (const value of [120, 450, 450]) await push(userId, { steps: [{ ...bucket, value }] });
    const [group] = (await steps(userId)).body.groups[dataProvider];
    expect(group.data).toMatchObject([{ value: 450 }]);
  });
});

describe("events", () => {
  const publishedEvents = async (userId: string, type: string) =>
    (await world.service.inbox(type)).map(({ body }) => body).filter(({ user_id }) => user_id === userId);

  test.each([
    ["steps", "events-05"],
    ["activity", "events-06"],
    ["glucose", "events-07"],
  ])("report new %s as daily.data.<resource>.created [events-04] [%s]", async (resource) => {
    const [event, ...others] = await publishedEvents(world.userId, `daily.data.${resource}.created`);
    expect(others).toEqual([]);
    expect(event).toMatchObject({ client_user_id: world.clientUserId, data: { user_id: world.userId } });
  });

  test("have data in the shape of their type: a list of samples, or the fields of a summary [events-03]", async () => {
    const [samples] = await publishedEvents(world.userId, "daily.data.steps.created");
    const [summary] = await publishedEvents(world.userId, "daily.data.activity.created");
    expect(samples.data).toMatchObject({ source_id: expect.any(Number), data: [{ unit: "count" }] });
    expect(summary.data).toMatchObject({ id: expect.any(String), steps: 9_120 });
    expect(summary.data).not.toHaveProperty("data");
  });

  test("have samples with instant, offset in seconds, type, unit and value [events-18]", async () => {
    const userId = await world.newUser();
    await push(userId, { heartrate: [{ timestamp: `${recordDay}T10:00:00+02:00`, value: 61 }] });
    const [event] = await publishedEvents(userId, "daily.data.heartrate.created");
    const [sample] = event.data.data;
    expect(sample).toMatchObject({ timezone_offset: 7_200, type: null, unit: "bpm", value: 61 });
    expect(Date.parse(sample.timestamp)).toBe(Date.parse(`${recordDay}T08:00:00Z`));
  });
});

describe("users", () => {
  test("are disconnected at the moment of their deletion [user-deletion-02]", async () => {
    const user_id = await world.newUser();
    await call("POST", "/v2/link/connect/demo", { body: { user_id, provider: "freestyle_libre" } });
    expect((await read(`/v2/user/${user_id}`)).connected_sources).toHaveLength(1);
    await call("DELETE", `/v2/user/${user_id}`);
    expect(await world.storedUser(user_id)).toMatchObject({ lifecycle: "pending_erasure", connections: {} });
  });

  test("are restored by one identifier if the other is null [users-10]", async () => {
    for (const other of ["user_id", "client_user_id"]) {
      const user_id = await world.newUser();
      const { client_user_id } = await read(`/v2/user/${user_id}`);
      await call("DELETE", `/v2/user/${user_id}`);
      const body = { user_id, client_user_id, [other]: null };
      expect(await call("POST", "/v2/user/undo_delete", { body })).toMatchObject({
        status: 200,
        body: { success: true },
      });
    }
  });
});

describe("teams", () => {
  test("are listed by the UUID of their organisation [management-interface-01]", async () => {
    const { org_id, team_id } = world.service.identity;
    const listed = await teams(org_id);
    expect(listed.body.teams.map(({ id }: { id: string }) => id)).toContain(team_id);
    expect([(await teams("first")).status, (await teams(randomUUID())).status]).toEqual([422, 404]);
  });

  test("are listed with id, name, region and creation time [team-list-item-fields-01] [team-list-item-fields-02]", async () => {
    const { body } = await teams(world.service.identity.org_id);
    for (const team of body.teams) {
      expect(team).toMatchObject({ name: expect.any(String), region: expect.stringMatching(/^(?:us|eu)$/) });
      expect([checkUuids(listFields(team)), checkInstants(listFields(team))]).toEqual(
        Array(2).fill({ found: 1, bad: [] }),
      );
    }
  });
});
