import { afterAll, beforeAll, expect, test } from "vitest";
import { MAX_ENDPOINTS_PER_HOST, MAX_ENDPOINTS_PER_TEAM } from "../../../../lib/store/webhooks/endpoint-quotas.ts";
import { TestService } from "../../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

/** Returns the webhook routes of a new team. */
async function newTeam(name: string) {
  const { teamId } = await service.createTeam(name);
  const base = `/v1/org/${service.identity.org_id}/team/${teamId}/sandbox/webhook`;
  const create = (url: string) => service.manage("POST", base, { body: { url } });
  const counts = async () => (await service.manage("GET", base)).body.data.length;
  return { base, create, counts };
}

const at = (port: number, path = "") => `http://127.0.0.1:${port}/${path}`;
const statuses = (answers: readonly { status: number }[]) =>
  [201, 403].map((status) => answers.filter((answer) => answer.status === status).length);

test("a team has 100 endpoints after 130 concurrent creations", { tags: "deep" }, async () => {
  const { base, create, counts } = await newTeam("Many");
  const answers = await Promise.all(Array.from({ length: 130 }, (_, index) => create(at(7_000 + index))));
  expect(statuses(answers)).toEqual([MAX_ENDPOINTS_PER_TEAM, 30]);
  const refused = answers.find(({ status }) => status === 403);
  expect(refused?.body).toMatchObject({ code: "quota_reached" });
  expect(await counts()).toBe(MAX_ENDPOINTS_PER_TEAM);
  const made = answers.find(({ status }) => status === 201)?.body.id;
  const deleted = await Promise.all([1, 2, 3].map(() => service.manage("DELETE", `${base}/${made}`)));
  expect(deleted.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
  expect(statuses(await Promise.all([create(at(6_000)), create(at(6_001))]))).toEqual([1, 1]);
});

test("a team has 20 endpoints at one host after 40 concurrent creations or URL changes", { tags: "deep" }, async () => {
  const { base, create } = await newTeam("One host");
  const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => create(at(7_000, `${index}`))));
  expect(statuses(answers)).toEqual([MAX_ENDPOINTS_PER_HOST, 20]);
  const { body: other } = await create(at(7_001));
  const move = (id: string, url: string) => service.manage("PATCH", `${base}/${id}`, { body: { url } });
  expect((await move(other.id, at(7_000))).status).toBe(403);
  expect((await service.manage("GET", `${base}/${other.id}`)).body.url).toBe(at(7_001));
  const one = answers.find(({ status }) => status === 201)?.body;
  expect((await move(one.id, at(7_000, "elsewhere"))).status).toBe(200);
  expect((await move(one.id, at(7_002))).status).toBe(200);
  expect((await move(other.id, at(7_000))).status).toBe(200);
  expect((await create(at(7_000))).status).toBe(403);
  await service.manage("DELETE", `${base}/${other.id}`);
  expect((await create(at(7_000))).status).toBe(201);
});

test("an endpoint with concurrent changes of its URL gets one URL, and counts at that host", async () => {
  const { base, create } = await newTeam("Two ways");
  const { body: moved } = await create(at(7_000));
  const move = (port: number) => service.manage("PATCH", `${base}/${moved.id}`, { body: { url: at(port) } });
  const answers = await Promise.all([7_001, 7_002, 7_003, 7_004].map(move));
  expect(answers.some(({ status }) => status === 200)).toBe(true);
  expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
  const { url } = (await service.manage("GET", `${base}/${moved.id}`)).body;
  const fill = (port: number) => Promise.all(Array.from({ length: 22 }, () => create(at(port))));
  expect(statuses(await fill(Number(new URL(url).port)))).toEqual([MAX_ENDPOINTS_PER_HOST - 1, 3]);
  expect(statuses(await fill(7_000))).toEqual([MAX_ENDPOINTS_PER_HOST, 2]);
});
