import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { createHeartRates, sendBatch } from "../ingest/ingest-batch.ts";
import { Receiver } from "../webhooks/webhook-receiver.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let service: TestService;
let receiver: Receiver;
let began: string;
beforeAll(async () => {
  service = await TestService.start();
  began = today();
  receiver = await Receiver.start(service, () => 204);
});
afterAll(async () => {
  await receiver.stop();
  await service.stop();
});

const orgPath = (path: string) => `/v1/org/${service.identity.org_id}${path}`;
const limitsOf = (teamId: string) => orgPath(`/team/${teamId}/limits`);
const usageOf = async (query: string) => (await service.manage("GET", orgPath(`/usage?${query}`))).body;
const today = () => new Date(service.cloud.clock.now()).toISOString().slice(0, 10);

/** Sets limits and waits until every container has read them. */
async function limit(teamId: string, body: object): Promise<void> {
  expect((await service.manage("PUT", limitsOf(teamId), { body })).status).toBe(200);
  await service.advance(MINUTE_MS + 1000);
}

test("a team that exceeds its request limit is refused with the time to retry, before any other check", async () => {
  const { teamId, key } = await service.createTeam("Busy");
  await limit(teamId, { requests_per_second: 3 });
  const first = service.cloud.clock.now();
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => service.call("POST", "/v2/user", { key, body: { nothing: 1 } })),
  );
  const seconds = Math.floor(service.cloud.clock.now() / 1000) - Math.floor(first / 1000) + 1;
  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.filter(({ status }) => status === 422).length).toBe(40 - refused.length);
  expect(refused.length).toBeGreaterThanOrEqual(40 - 3 * seconds);
  const [{ headers, body } = { headers: new Headers(), body: {} }] = refused;
  expect(body).toEqual({ code: "too_many_requests", detail: expect.any(String), request_id: expect.any(String) });
  expect(headers.get("retry-after")).toBe("1");
  expect([headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")]).toEqual(["3", "0"]);
  const resetsAt = Number(headers.get("x-ratelimit-reset")) * 1000;
  expect(resetsAt).toBeGreaterThan(first);
  expect(resetsAt).toBeLessThanOrEqual(service.cloud.clock.now() + 1000);
  // Another team, and a route without a team, are not limited.
  expect((await service.call("GET", "/v2/user")).status).toBe(200);
  expect((await service.call("GET", "/openapi.json", { key })).status).toBe(200);
  await service.advance(1000);
  expect((await service.call("GET", "/v2/user", { key })).status).toBe(200);
});

test("limits default to those of the deployment, and only an organization key sets them", async () => {
  const { teamId } = await service.createTeam("Limited");
  const fallback = {
    requests_per_second: { limit: 1000, is_default: true },
    work_per_second: { limit: 20_000, is_default: true },
    users: { limit: 20_000, is_default: true },
  };
  expect((await service.manage("GET", limitsOf(teamId))).body).toEqual({ team_id: teamId, ...fallback });
  const set = await service.manage("PUT", limitsOf(teamId), { body: { users: 5, requests_per_second: null } });
  expect(set.body).toMatchObject({ ...fallback, users: { limit: 5, is_default: false } });
  expect((await service.manage("GET", limitsOf(teamId))).body).toEqual(set.body);
  expect((await service.manage("PUT", limitsOf(teamId), { body: {} })).body).toMatchObject(fallback);
  for (const body of [{ users: -1 }, { requests_per_second: 0 }, { requests_per_second: 1.5 }, { samples: 1 }]) {
    expect((await service.manage("PUT", limitsOf(teamId), { body })).status).toBe(422);
  }
  expect((await service.manage("PUT", limitsOf(randomUUID()), { body: {} })).status).toBe(404);
});

test("a team has at most its maximum number of users, even with concurrent creations, until one is erased", {
  tags: "deep",
}, async () => {
  const { teamId, key } = await service.createTeam("Small");
  await limit(teamId, { users: 11 });
  const create = (name: string) => service.call("POST", "/v2/user", { key, body: { client_user_id: name } });
  const answers = await Promise.all(Array.from({ length: 20 }, (_, place) => create(`user ${place}`)));
  const created = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(created).toHaveLength(11);
  expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(new Set(["403 quota_reached"]));
  const { user_id, client_user_id } = created[0]?.body ?? {};
  expect((await create(client_user_id)).body.code).toBe("client_user_id_taken");
  expect((await service.call("DELETE", `/v2/user/${user_id}`, { key })).status).toBe(200);
  expect((await create("too early")).status).toBe(403);
  expect((await service.call("POST", `/v2/user/undo_delete?user_id=${user_id}`, { key })).status).toBe(200);
  expect((await service.call("DELETE", `/v2/user/${user_id}`, { key })).status).toBe(200);
  await service.advance(8 * DAY_MS);
  expect((await create("in its place")).status).toBe(200);
  expect((await create("one more")).status).toBe(403);
});

test("a lower limit stops new users at once, and a higher one admits exactly as many more", async () => {
  const { teamId, key } = await service.createTeam("Lowered");
  const create = async (name: string) =>
    (await service.call("POST", "/v2/user", { key, body: { client_user_id: name } })).status;
  const several = async (count: number, name: string) => {
    const answers: number[] = [];
    for (let made = 0; made < count; made++) answers.push(await create(`${name} ${made}`));
    return answers.filter((status) => status === 200).length;
  };
  expect(await several(5, "before")).toBe(5);
  await limit(teamId, { users: 3 });
  expect(await several(4, "lowered")).toBe(0);
  await limit(teamId, { users: 8 });
  expect(await several(6, "raised")).toBe(3);
});

test("the usage of a team is reported exactly, by day", async () => {
  const { teamId, key } = await service.createTeam("Counted");
  const webhook = { url: receiver.url };
  expect((await service.manage("POST", orgPath(`/team/${teamId}/sandbox/webhook`), { body: webhook })).status).toBe(
    201,
  );
  const first = today();
  const at = `${first}T00:00:00Z`;
  const user_id = await service.createUser("counted", key);
  const other = await service.createUser("another", key);
  // 12 samples, then 2 of them unchanged and 1 changed, and a batch without an acceptable record.
  await sendBatch(service, user_id, { heartrate: createHeartRates(at, 12) }, { key });
  await service.settle();
  const again = createHeartRates(at, 3).map((sample, place) => (place === 0 ? { ...sample, value: 99 } : sample));
  await sendBatch(service, user_id, { heartrate: again }, { key });
  expect((await service.call("POST", `/v2/ingest/${user_id}`, { key, body: { provider: "oura" } })).status).toBe(422);
  await service.settle();
  const received = receiver.received.length;
  expect((await service.call("GET", "/v2/user", { key: `${key}x` })).status).toBe(401);
  const { events } = (await service.call("GET", "/v2/events?limit=100", { key })).body;
  // Containers report their pending counts with the next request.
  await service.advance(1000);
  await service.call("GET", "/v2/user", { key });
  const [day, ...more] = (await usageOf(`start_date=${first}&end_date=${today()}&team_id=${teamId}`)).usage;
  expect(more).toEqual([]);
  expect(events.length).toBeGreaterThanOrEqual(2);
  expect(received).toBe(events.length);
  // Users 2, batches 3, events 1, users 1.
  expect(day).toMatchObject({ team_id: teamId, date: first, requests: 7, samples: 13 });
  expect([day.events, day.deliveries]).toEqual([events.length, received]);
  expect(day.stored_bytes).toBeGreaterThan(20);
  expect(day.estimated_dollars).toBeGreaterThan(0);

  // A redelivered message counts nothing; an erasure subtracts the stored data of the user.
  await service.call("DELETE", `/v2/user/${user_id}`, { key });
  await service.call("DELETE", `/v2/user/${other}`, { key });
  await service.advance(8 * DAY_MS);
  const days = (await usageOf(`start_date=${first}&team_id=${teamId}`)).usage;
  // The requests of the erasures belong to that day too.
  expect(days[0]).toMatchObject({ samples: 13, events: day.events, stored_bytes: day.stored_bytes });
  expect(days.map(({ date }: { date: string }) => date).slice(0, 7)).toHaveLength(7);
  expect(days[6].stored_bytes).toBe(day.stored_bytes);
  expect((await usageOf(`start_date=${today()}&team_id=${teamId}`)).usage).toEqual([]);
});

test("a range may be empty, may cover all teams, and has at most 93 days", async () => {
  expect(await usageOf("start_date=2001-01-01&end_date=2001-03-31")).toEqual({
    prices: { region: "us-east-1", date: expect.any(String), currency: "USD" },
    usage: [],
    next_cursor: null,
  });
  expect((await usageOf("start_date=2999-01-01")).usage).toEqual([]);
  const rows: { team_id: string }[] = (await usageOf(`start_date=${began}`)).usage;
  expect(new Set(rows.map(({ team_id }) => team_id)).size).toBeGreaterThanOrEqual(3);
  const refused = [
    "",
    "start_date=x",
    "start_date=2026-02-01&end_date=2026-01-31",
    "start_date=2001-01-01&end_date=2001-04-04",
  ];
  for (const query of refused) {
    expect((await service.manage("GET", orgPath(`/usage?${query}`))).status, query).toBe(422);
  }
  const unknown = await service.manage("GET", orgPath(`/usage?start_date=${today()}&team_id=${randomUUID()}`));
  expect([unknown.status, unknown.body.code]).toEqual([404, "not_found"]);
  expect((await service.manage("GET", `/v1/org/${randomUUID()}/usage?start_date=${today()}`)).status).toBe(404);
});
