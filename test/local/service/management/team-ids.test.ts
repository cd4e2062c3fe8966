import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { createOtherOrganization } from "./role-fixture.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;

let service: TestService;
let other: Awaited<ReturnType<typeof createOtherOrganization>>;
beforeAll(async () => {
  service = await TestService.start();
  other = await createOtherOrganization(service);
});
afterAll(() => service.stop());

const org = () => `/v1/org/${service.identity.org_id}`;
const byOther = (method: string, path: string, body?: object) =>
  service.manage(method, `/v1/org/${other.org_id}${path}`, { key: other.management_key, ...(body && { body }) });
const makeByOther = (id: string) => byOther("POST", "/team", { name: "Curious", region: "us", id });
/** Returns an answer without the values that are unique for each team. */
const shapeOf = ({ status, body }: { status: number; body: { id: string } }, id: string) =>
  JSON.stringify([status, body])
    .replaceAll(body.id, "<made>")
    .replaceAll(id, "<given>")
    .replace(/"created_on":"[^"]*"/, "");

/** Creates a team with an erased user, whose certificate and log remain. */
async function teamWithHistory() {
  const { teamId, key } = await service.createTeam("With history");
  const userId = await service.createUser("once", key);
  await service.call("GET", `/v2/user/${userId}`, { key });
  return { teamId, key, userId };
}

test("creating a team with the id of an existing team of another organization is answered like an unknown id", async () => {
  const { teamId } = await service.createTeam("Alive");
  const fresh = crypto.randomUUID();
  const [ofNobody, ofOther] = [await makeByOther(fresh), await makeByOther(teamId)];
  expect(ofOther.status).toBe(200);
  expect(shapeOf(ofOther, teamId)).toBe(shapeOf(ofNobody, fresh));
  expect([ofNobody.body.id, ofOther.body.id]).not.toContain(teamId);
});

test("the id of a deleted or erased team is never assigned again, and no team can read its log and certificates", {
  tags: "deep",
}, async () => {
  const { teamId, userId } = await teamWithHistory();
  await service.manage("DELETE", `${org()}/team/${teamId}`);
  for (const passedMs of [HOUR_MS, 7 * DAY_MS + HOUR_MS]) {
    await service.advance(passedMs);
    const { status, body } = await makeByOther(teamId);
    expect([status, body.id === teamId]).toEqual([passedMs === HOUR_MS ? 200 : 409, false]);
    expect((await byOther("GET", `/team/${teamId}/access_log`)).status).toBe(404);
  }
  const own = await service.manage("POST", `${org()}/team`, { body: { name: "Again", region: "us", id: teamId } });
  expect([own.status, own.body.id === teamId]).toEqual([200, false]);
  const log = await service.manage("GET", `${org()}/team/${own.body.id}/access_log`);
  expect(log.body.entries).toEqual([]);
  const body = { label: "again", team_id: own.body.id };
  const { value: key } = (await service.manage("POST", `${org()}/team_api_keys/sandbox/us`, { body })).body;
  expect((await service.call("GET", `/v2/user/erasure/${userId}`, { key })).status).toBe(404);
});

test("a given id is the organization's own id of the team, and belongs to one team at a time", async () => {
  const id = crypto.randomUUID();
  const body = { name: "Given", region: "us", id };
  const made = (await service.manage("POST", `${org()}/team`, { body })).body;
  expect([made.integration_team_id, made.id === id]).toEqual([id, false]);
  const again = await service.manage("POST", `${org()}/team`, { body });
  expect([again.status, again.body.team_id]).toEqual([409, made.id]);
  const named = await service.manage("POST", `${org()}/team`, { body: { ...body, integration_team_id: "named" } });
  expect([named.status, named.body.integration_team_id]).toEqual([200, "named"]);
});

test("a key of one team does not learn which other team has an integration id", async () => {
  const [mine, hidden] = [await service.createTeam("Mine"), await service.createTeam("Hidden")];
  const take = (teamId: string, key?: string) =>
    service.manage("PATCH", `${org()}/team/${teamId}`, {
      body: { integration_team_id: "hidden" },
      ...(key && { key }),
    });
  expect((await take(hidden.teamId)).status).toBe(200);
  const draft = { label: "one team", role: "team_admin", team_role_bindings: [{ team_id: mine.teamId }] };
  const { key } = (await service.manage("POST", `${org()}/management_key`, { body: draft })).body;
  const refused = await take(mine.teamId, key);
  expect([refused.status, JSON.stringify(refused.body).includes(hidden.teamId)]).toEqual([409, false]);
  expect((await take(mine.teamId)).body.team_id).toBe(hidden.teamId);
});
