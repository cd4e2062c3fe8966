import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { signWebhook } from "../../../../lib/crypto/webhook-signature.ts";
import { EXAMPLE_USER_ID } from "../../../../lib/events/catalogue/example-user.ts";
import { type Answer, TestService } from "../../../support/service.ts";
import { createHeartRates, ingestBatch } from "../ingest/ingest-batch.ts";
import { findFunctionName, findItemsContaining } from "../support/stored-items.ts";
import { DeliveryRecords } from "./delivery-records.ts";
import { createTeamWithReceiver, RECEIVER_SECRET, Receiver, type ReceiverBehavior } from "./webhook-receiver.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const [RATE] = createHeartRates("2026-05-01T08:00:00Z", 1);

let service: TestService;
let records: DeliveryRecords;
const receivers: Receiver[] = [];
beforeAll(async () => {
  service = await TestService.start();
  records = new DeliveryRecords(service);
});
afterEach(async () => {
  service.cloud.faults.clear();
  await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
});
afterAll(() => {
  records.stop();
  return service.stop();
});

/** Creates a team with a user, a receiver, and an endpoint at the receiver. */
async function receive(behave?: ReceiverBehavior, about: object = {}) {
  const receiver = await Receiver.start(service, behave);
  receivers.push(receiver);
  const key = await createTeamWithReceiver(service, receiver, about);
  const userId = await service.createUser("the user", key);
  const endpoint = await records.endpoint(userId, key);
  const base = `/v1/org/${service.identity.org_id}/team/${endpoint.team_id}/sandbox/webhook`;
  const ask = (method: string, path = "", body?: unknown): Promise<Answer> =>
    service.manage(method, `${base}/${endpoint.endpoint_id}${path}`, body === undefined ? {} : { body });
  /** Sends a heart rate. @returns the id of its event. */
  const sendSample = async (value: number, timestamp = RATE?.timestamp): Promise<string> =>
    (await ingestBatch(service, userId, { heartrate: [{ timestamp, value }] }, { key })).event_ids[0];
  const messageOf = (eventId: string, path = "") => `/message/${eventId}${path}?user_id=${userId}`;
  return { receiver, key, userId, endpoint, base, ask, sendSample, messageOf };
}

const minuteAgo = () => new Date(service.cloud.clock.now() - 60_000).toISOString();
const idsOf = ({ body }: Answer) => body.data.map(({ event_id }: { event_id: string }) => event_id);
const arrived = ({ received }: Receiver) => received.map(({ headers }) => headers["webhook-id"]);

describe("an endpoint", () => {
  test("is listed, read, changed and deleted [endpoints-known-by-name-08]", async () => {
    const { ask, base, endpoint } = await receive();
    const { body: read } = await ask("GET");
    expect(read).toMatchObject({ id: endpoint.endpoint_id, url: endpoint.url, rate_limit: null, disabled: false });
    expect((await service.manage("GET", base)).body).toEqual({ data: [read], next_cursor: null });
    const changes = { description: "ours", rate_limit: 5, filter_types: ["daily.data.sleep.created"] };
    expect((await ask("PATCH", "", changes)).body).toEqual({ ...read, ...changes, updated_at: expect.any(String) });
    const emptied = { description: null, rate_limit: null, filter_types: null, url: null, disabled: null };
    expect((await ask("PATCH", "", emptied)).body).toEqual({ ...read, updated_at: expect.any(String) });
    expect(await ask("DELETE")).toMatchObject({ status: 204, body: "" });
    for (const [method, path, body] of [
      ["GET", ""],
      ["PATCH", "", { description: "back again" }],
      ["DELETE", ""],
      ["GET", "/headers"],
      ["PUT", "/headers", { headers: {} }],
      ["GET", "/secret"],
      ["POST", "/secret/rotate", {}],
      ["GET", "/message"],
      ["POST", "/test", {}],
      ["POST", "/recover", { since: minuteAgo() }],
    ] as const) {
      const { status, body: refused } = await ask(method, path, body);
      expect([method, path, status, refused.code]).toEqual([method, path, 404, "not_found"]);
    }
    expect((await service.manage("GET", base)).body.data).toEqual([]);
  });

  test("of another team or environment, or with another team's key, is 404", async () => {
    const mine = await receive();
    const { endpoint } = await receive();
    for (const path of [
      `${mine.base}/${endpoint.endpoint_id}`,
      `${mine.base.replace("sandbox", "production")}/${mine.endpoint.endpoint_id}`,
      `${mine.base.replace(mine.endpoint.team_id, randomUUID())}/${mine.endpoint.endpoint_id}`,
    ]) {
      for (const [method, body] of [["GET"], ["PATCH", { description: "" }], ["DELETE"]] as const) {
        expect((await service.manage(method, path, body ? { body } : {})).status).toBe(404);
      }
    }
    expect((await mine.ask("GET")).status).toBe(200);
  });

  test.each([
    { url: "https://10.0.0.1/hook" },
    { url: "http://example.com/" },
    { filter_types: ["daily.data.nothing.created"] },
    { rate_limit: 0 },
    { disabled: "no" },
  ])("cannot be changed to %j", async (changes) => {
    const { ask } = await receive();
    const { body: before } = await ask("GET");
    expect((await ask("PATCH", "", changes)).status).toBe(422);
    expect((await ask("GET")).body).toEqual(before);
  });

  test("has a reset failure count after it is enabled again, and an unchanged one after a rename", async () => {
    const { ask, endpoint, sendSample, receiver } = await receive();
    await records.health.recordFailure(endpoint, { kind: "outage", eventId: "evt_failed" }, service.cloud.clock.now());
    await ask("PATCH", "", { description: "renamed", disabled: false });
    expect(await records.health.get(endpoint)).toHaveProperty("first_failed_at");
    await records.health.pauseUntil(endpoint, service.cloud.clock.now() + HOUR_MS);
    expect((await ask("PATCH", "", { disabled: true })).body).toMatchObject({ disabled_reason: "manual" });
    expect((await ask("PATCH", "", { disabled: false })).body).toMatchObject({
      disabled: false,
      disabled_reason: null,
    });
    const { team_id, endpoint_id } = endpoint;
    expect(await records.health.get(endpoint)).toEqual({ team_id, endpoint_id });
    const next = await sendSample(61, "2026-05-01T09:00:00Z");
    expect(arrived(receiver)).toContain(next);
  });

  test("with a rate limit gets no more requests per second", { tags: "deep" }, async () => {
    const { receiver, ask, key, userId } = await receive();
    await ask("PATCH", "", { rate_limit: 1 });
    const days = ["01", "02", "03", "04", "05"].map((day) => ({ calendar_date: `2026-01-${day}` }));
    await ingestBatch(service, userId, { activity: days }, { key });
    await service.advance(10_000);
    const instants = receiver.received.map(({ at }) => at);
    expect(instants).toHaveLength(5);
    // Three whole seconds lie between the first and the last request, minus the transfer time of the first.
    expect(Math.max(...instants) - Math.min(...instants)).toBeGreaterThan(2_000);
  });
});

describe("pending deliveries of a deleted endpoint", () => {
  test("are cancelled and not sent", async () => {
    const { receiver, ask, sendSample, endpoint, userId } = await receive(() => 500);
    const eventId = await sendSample(60);
    await ask("DELETE");
    await service.advance(10_000);
    expect(receiver.received).toHaveLength(1);
    const delivery = await records.delivery(endpoint, userId, eventId);
    expect(delivery).toMatchObject({ state: "cancelled", reason: "endpoint_deleted" });
  });

  test("stay cancelled after an attempt in progress that gets a 410", async () => {
    const { ask, sendSample } = await receive(async () => {
      await ask("DELETE");
      return 410;
    });
    await sendSample(60);
    expect((await ask("GET")).status).toBe(404);
  });
});

describe("headers of an endpoint", () => {
  test("are sent with its webhooks, stored sealed, and masked if they are credentials", async () => {
    const { receiver, ask, sendSample } = await receive();
    const headers = { "X-Tenant": "blue", Authorization: "Bearer deep-secret-7", "X-Api-Key": "k" };
    expect((await ask("PUT", "/headers", { headers })).status).toBe(204);
    const masked = { "X-Tenant": "blue", Authorization: "********", "X-Api-Key": "********" };
    expect((await ask("GET", "/headers")).body).toEqual({ headers: masked, sensitive: ["Authorization", "X-Api-Key"] });
    await sendSample(60);
    expect(receiver.received[0]?.headers).toMatchObject({ "x-tenant": "blue", authorization: "Bearer deep-secret-7" });
    expect(await findItemsContaining(service, "deep-secret-7")).toEqual([]);
    await ask("PUT", "/headers", { headers: {} });
    expect((await ask("GET", "/headers")).body).toEqual({ headers: {}, sensitive: [] });
  });

  test.each([
    ["webhook-signature", "v1,x"],
    ["Svix-Id", "x"],
    ["Content-Type", "text/plain"],
    ["content-length", "1"],
    ["Host", "example.com"],
    ["Connection", "close"],
    ["Transfer-Encoding", "chunked"],
    ["bad name", "x"],
    ["x-split", "a\r\nb: c"],
    ["Authorization", "********"],
  ])("cannot be %s with %j", async (name, value) => {
    const { ask } = await receive();
    const { status, body } = await ask("PUT", "/headers", { headers: { [name]: value } });
    expect([status, body.detail[0].loc.slice(0, 2)]).toEqual([422, ["body", "headers"]]);
  });

  test("are unique by name", async () => {
    const { ask } = await receive();
    expect((await ask("PUT", "/headers", { headers: { "x-a": "1", "X-A": "2" } })).status).toBe(422);
  });
});

test("a secret is replaced, and for a day both secrets sign webhooks", { tags: "deep" }, async () => {
  const { receiver, ask, sendSample } = await receive();
  expect((await ask("GET", "/secret")).body).toEqual({ key: RECEIVER_SECRET });
  const rotations = await Promise.all([
    ask("POST", "/secret/rotate", { key: OTHER_SECRET }),
    ask("POST", "/secret/rotate", { key: OTHER_SECRET }),
  ]);
  expect(rotations.map(({ status }) => status).sort()).toEqual([204, 409]);
  expect((await ask("POST", "/secret/rotate")).status).toBe(409);
  expect((await ask("GET", "/secret")).body).toEqual({ key: OTHER_SECRET });
  await sendSample(60);
  await service.advance(DAY_MS);
  await sendSample(61);
  const signatures = receiver.received.map(({ headers, text }) => {
    const [id, at] = [`${headers["webhook-id"]}`, Number(headers["webhook-timestamp"])];
    const by = (secret: string) => signWebhook([secret], id, at, text);
    return [headers["webhook-signature"], by(OTHER_SECRET), by(RECEIVER_SECRET)];
  });
  const [during = [], after = []] = signatures;
  expect(during[0]).toBe(`${during[1]} ${during[2]}`);
  expect(after[0]).toBe(after[1]);
  expect((await ask("POST", "/secret/rotate")).status).toBe(204);
  expect((await ask("GET", "/secret")).body.key).toMatch(/^whsec_.{44}$/);
  expect((await ask("POST", "/secret/rotate", { key: "short" })).status).toBe(422);
});

test("a rotation succeeds, whichever of its calls loses the response", { tags: "deep" }, async () => {
  for (let at_call = 1; at_call <= 8; at_call++) {
    const { ask } = await receive();
    const of = { service: "dynamodb", function: findFunctionName(service, "rotateWebhookSecret") } as const;
    service.cloud.faults.add({ ...of, mode: "fail_after", at_call });
    expect([at_call, (await ask("POST", "/secret/rotate", { key: OTHER_SECRET })).status]).toEqual([at_call, 204]);
    service.cloud.faults.clear();
    expect((await ask("GET", "/secret")).body).toEqual({ key: OTHER_SECRET });
  }
});

describe("messages of an endpoint", () => {
  test("are listed newest first, by state, page by page, and each with its attempts", { tags: "deep" }, async () => {
    const { ask, sendSample, messageOf, userId } = await receive((_, { data }) =>
      data.data[0].timestamp.startsWith("2026-05-01T02") ? { status: 422, text: "no room" } : 204,
    );
    const eventIds: string[] = [];
    for (const minute of [1, 2, 3]) {
      await service.advance(1_000);
      eventIds.unshift(await sendSample(60, `2026-05-01T0${minute}:00:00Z`));
    }
    const all = await ask("GET", "/message");
    expect(idsOf(all)).toEqual(eventIds);
    expect(all.body.next_cursor).toBeNull();
    expect(all.body.data[1]).toEqual({
      event_id: eventIds[1],
      user_id: userId,
      event_type: "daily.data.heartrate.created",
      state: "pending",
      reason: null,
      created_at: expect.any(String),
      attempt_count: expect.any(Number),
      last_status: 422,
      next_attempt_at: expect.any(String),
    });
    expect(idsOf(await ask("GET", "/message?status=delivered"))).toEqual([eventIds[0], eventIds[2]]);
    const first = await ask("GET", "/message?limit=2");
    expect(idsOf(first)).toEqual(eventIds.slice(0, 2));
    const cursor = first.body.next_cursor;
    expect(idsOf(await ask("GET", `/message?limit=2&next_cursor=${cursor}`))).toEqual([eventIds[2]]);
    expect((await ask("GET", `/message?status=delivered&next_cursor=${cursor}`)).status).toBe(422);
    const attempts = await ask("GET", messageOf(eventIds[1] ?? "", "/attempt"));
    expect(attempts.body.data[0]).toEqual({
      at: expect.any(String),
      status: 422,
      duration_ms: expect.any(Number),
      response: "no room",
      error: null,
      probe: false,
    });
    expect((await ask("GET", `/message/${eventIds[1]}/attempt`)).status).toBe(404);
    expect((await ask("GET", "/message/evt_1/attempt")).status).toBe(422);
    await service.advance(10_000);
  });

  test("are sent again with the same id and a new timestamp, delivered or not, whatever cancelled them", async () => {
    const { receiver, ask, sendSample, messageOf } = await receive((count) => (count === 2 ? 410 : 204));
    const eventId = await sendSample(60);
    await service.advance(5_000);
    const again = await ask("POST", messageOf(eventId, "/resend"));
    expect([again.status, again.body.state]).toEqual([202, "pending"]);
    await service.settle();
    expect(arrived(receiver)).toEqual([eventId, eventId]);
    const [before, after] = receiver.received.map(({ headers }) => Number(headers["webhook-timestamp"]));
    expect(after).toBeGreaterThan(before ?? 0);
    expect((await ask("POST", messageOf(eventId, "/resend"))).body.code).toBe("not_possible");
    await ask("PATCH", "", { disabled: false });
    expect((await ask("POST", messageOf(eventId, "/resend"))).body).toMatchObject({ state: "pending", reason: null });
    await service.settle();
    const { body } = await ask("GET", "/message");
    expect(body.data).toMatchObject([{ state: "delivered", attempt_count: 3, last_status: 204 }]);
    expect((await ask("POST", messageOf(`evt_${"a".repeat(26)}`, "/resend"))).status).toBe(404);
  });

  test("that are exhausted restart their whole schedule when they are sent again", { tags: "deep" }, async () => {
    const { receiver, ask, sendSample, messageOf } = await receive((_, body) =>
      body.event_type.startsWith("message.") ? 204 : 500,
    );
    const eventId = await sendSample(60);
    await service.advance(2 * DAY_MS);
    expect((await ask("GET", "/message?status=exhausted")).body.data).toMatchObject([{ attempt_count: 8 }]);
    await ask("POST", messageOf(eventId, "/resend"));
    await service.advance(2 * DAY_MS);
    expect(arrived(receiver).filter((id) => id === eventId)).toHaveLength(16);
    const notices = receiver.received.filter(({ body }) => body.event_type === "message.attempt.exhausted");
    expect(new Set(notices.map(({ headers }) => headers["webhook-id"])).size).toBe(2);
    expect(notices.map(({ body }) => body.data.message_id)).toEqual([eventId, eventId]);
  });
});

describe("a narrowed filter", () => {
  test("cancels waiting messages of other types, which arrive only if they are sent again", async () => {
    let isUp = false;
    const { receiver, ask, key, userId, sendSample, messageOf } = await receive(() => (isUp ? 204 : 500));
    const since = minuteAgo();
    const excluded = await sendSample(60);
    const activity = [{ calendar_date: "2026-05-01", steps: 1 }];
    const [selected] = (await ingestBatch(service, userId, { activity }, { key })).event_ids;
    await ask("PATCH", "", { filter_types: ["daily.data.activity.created"] });
    isUp = true;
    expect((await ask("POST", "/test")).body).toMatchObject({ event_type: "daily.data.activity.created" });
    await ask("POST", "/test", { event_type: "daily.data.sleep.created" });
    const before = receiver.received.length;
    await service.advance(6 * 60_000);
    const sent = arrived(receiver).slice(before);
    expect(sent.filter((id) => !`${id}`.startsWith("test_"))).toEqual([selected]);
    const cancelled = await ask("GET", "/message?status=cancelled");
    expect(cancelled.body.data).toMatchObject([{ event_id: excluded, reason: "filtered", attempt_count: 1 }]);
    await ask("POST", "/recover", { since });
    await service.advance(60_000);
    expect(arrived(receiver).filter((id) => id === excluded)).toHaveLength(1);
    await ask("POST", messageOf(excluded, "/resend"));
    await service.settle();
    expect(arrived(receiver).filter((id) => id === excluded)).toHaveLength(2);
  });
});

describe("all failed messages since an instant", () => {
  test("are sent again by a task, each once, even if its worker fails", { tags: "deep" }, async () => {
    let isGone = true;
    let accepts = 10;
    const { receiver, ask, key, userId, sendSample } = await receive(() => {
      if (isGone) return 410;
      return accepts-- > 0 ? 204 : 503;
    });
    const early = await sendSample(61, "2026-01-01T00:00:00Z");
    await service.advance(120_000);
    const since = minuteAgo();
    isGone = false;
    await ask("PATCH", "", { disabled: false });
    const days = Array.from({ length: 40 }, (_, day) => ({
      calendar_date: new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10),
    }));
    const { event_ids } = await ingestBatch(service, userId, { activity: days }, { key });
    await service.settle();
    await ask("PATCH", "", { disabled: true });
    await service.advance(5 * 60_000);
    const { body: delivered } = await ask("GET", "/message?status=delivered");
    const ids = delivered.data.map(({ event_id: id }: { event_id: string }) => id);
    const lost = event_ids.filter((id: string) => !ids.includes(id));
    expect(lost).toHaveLength(30);
    expect((await ask("POST", "/recover", { since })).body.code).toBe("not_possible");
    await ask("PATCH", "", { disabled: false });
    accepts = Number.POSITIVE_INFINITY;
    receiver.received.length = 0;
    const worker = findFunctionName(service, "runWebhookTask");
    service.cloud.faults.add({ service: "sqs", function: worker, mode: "fail_after", at_call: 1, every_attempt: true });
    const opened = await ask("POST", "/recover", { since });
    expect([opened.status, opened.body]).toMatchObject([202, { kind: "recover", state: "pending", sent: 0 }]);
    await service.advance(10 * 60_000);
    const { body } = await ask("GET", `/task/${opened.body.id}`);
    expect(arrived(receiver).toSorted()).toEqual(lost.toSorted());
    expect(body).toMatchObject({ state: "done", looked_at: event_ids.length });
    expect(arrived(receiver)).not.toContain(early);
    expect((await ask("GET", `/task/${randomUUID()}`)).status).toBe(404);
  });

  test("need a range that begins in the past and does not end before it begins", async () => {
    const { ask } = await receive();
    const [since, tomorrow] = [minuteAgo(), new Date(Date.parse(minuteAgo()) + 86_400_000).toISOString()];
    const refused = async (path: string, body: object) => {
      const answer = await ask("POST", path, body);
      return [answer.status, answer.body.detail[0]?.loc];
    };
    for (const path of ["/recover", "/replay_missing"])
      expect(await refused(path, { since: tomorrow })).toEqual([422, ["body", "since"]]);
    expect(await refused("/recover", { since: tomorrow, until: tomorrow })).toEqual([422, ["body", "since"]]);
    const before = new Date(Date.parse(since) - 1).toISOString();
    expect(await refused("/recover", { since, until: before })).toEqual([422, ["body", "until"]]);
    expect((await ask("POST", "/recover", { since, until: since })).status).toBe(202);
  });

  test("need an instant with an offset", async () => {
    const { ask } = await receive();
    for (const since of ["yesterday", "2026-01-01", "2026-01-01T00:00:00", null])
      expect((await ask("POST", "/recover", { since })).status).toBe(422);
  });
});

test("a new endpoint is sent the team's events since an instant, and none twice", { tags: "deep" }, async () => {
  const { key, userId, sendSample, base } = await receive(() => 204, { filter_types: ["provider.connection.created"] });
  await sendSample(61, "2026-01-01T00:00:00Z");
  await service.advance(120_000);
  const since = minuteAgo();
  const missed = [await sendSample(62, "2026-01-01T01:00:00Z"), await sendSample(63, "2026-01-01T02:00:00Z")];
  await ingestBatch(service, userId, { activity: [{ calendar_date: "2026-01-01" }] }, { key });
  const late = await Receiver.start(service);
  receivers.push(late);
  const body = { url: late.url, filter_types: ["daily.data.heartrate.created"] };
  const { id } = (await service.manage("POST", base, { body })).body;
  const replay = async () => {
    const { body } = await service.manage("POST", `${base}/${id}/replay_missing`, { body: { since } });
    await service.advance(10_000);
    return (await service.manage("GET", `${base}/${id}/task/${body.id}`)).body;
  };
  expect(await replay()).toMatchObject({ kind: "replay_missing", state: "done", sent: 2 });
  expect(arrived(late).toSorted()).toEqual(missed.toSorted());
  expect(await replay()).toMatchObject({ state: "done", sent: 0 });
  expect(late.received).toHaveLength(2);
});

describe("a test event", () => {
  test("is an example of an unknown user, sent to this endpoint alone, whatever its filter, and absent from the feed", async () => {
    const { receiver, ask, key, base, endpoint } = await receive(() => 204, { filter_types: ["raw.oura.sleep"] });
    const other = await service.manage("POST", base, { body: { url: receiver.url } });
    const sent = await ask("POST", "/test", { event_type: "daily.data.sleep.created" });
    expect([sent.status, sent.body.user_id]).toEqual([202, null]);
    await service.settle();
    expect(arrived(receiver)).toEqual([expect.stringMatching(/^test_[a-z2-7]{26}$/)]);
    const { event_type, team_id, user_id, data } = receiver.received[0]?.body ?? {};
    expect([event_type, team_id, user_id]).toEqual(["daily.data.sleep.created", endpoint.team_id, EXAMPLE_USER_ID]);
    expect(data.user_id).toBe(EXAMPLE_USER_ID);
    expect(receiver.received[0]?.headers["webhook-signature"]).toMatch(/^v1,/);
    expect((await service.call("GET", "/v2/events", { key })).body.events).toEqual([]);
    expect((await ask("GET", "/message")).body.data).toMatchObject([
      { event_id: sent.body.event_id, state: "delivered" },
    ]);
    expect((await ask("GET", `/message/${sent.body.event_id}/attempt`)).body.data).toMatchObject([{ status: 204 }]);
    expect((await service.manage("GET", `${base}/${other.body.id}/message`)).body.data).toEqual([]);
  });

  test.each(["daily.data.heartrate.created", "labtest.match_review.created"])(
    "can have the type %s",
    async (event_type) => {
      const { receiver, ask } = await receive();
      expect((await ask("POST", "/test", { event_type })).status).toBe(202);
      await service.settle();
      expect(receiver.received[0]?.body.event_type).toBe(event_type);
    },
  );

  test("that fails is retried like any event, and its exhaustion sends no event", { tags: "deep" }, async () => {
    const { receiver, ask, key } = await receive(() => 500);
    await ask("POST", "/test", {});
    await service.advance(2 * DAY_MS);
    expect(receiver.received).toHaveLength(8);
    expect((await ask("GET", "/message")).body.data).toMatchObject([{ state: "exhausted" }]);
    expect((await service.call("GET", "/v2/events", { key })).body.events).toEqual([]);
    expect((await ask("POST", "/test", { event_type: "daily.data.nothing.created" })).status).toBe(422);
  });
});

test("attempts are counted by interval, successful and failed", { tags: "deep" }, async () => {
  const { base, sendSample } = await receive((count) => (count <= 2 ? 500 : 204));
  await sendSample(60);
  await service.advance(HOUR_MS);
  const path = base.replace(/webhook$/, "event_delivery_metric");
  for (const interval of ["5m", "15m", "1h", "1d"]) {
    const { body } = await service.manage("GET", `${path}?interval=${interval}`);
    const sums = body.data.result.map(({ metric, values }: { metric: object; values: [number, string][] }) => ({
      ...metric,
      sum: values.reduce((sum, [, text]) => sum + Number(text), 0),
    }));
    expect(sums).toEqual([
      { outcome: "delivered", sum: 1 },
      { outcome: "failed", sum: 2 },
    ]);
  }
  expect((await service.manage("GET", `${path}?interval=2h`)).status).toBe(422);
});

describe("a portal link", () => {
  /** Sends a portal request with the secret of a link. */
  const portal = (secret: string | undefined, method: string, path: string, body?: unknown) => {
    const headers: Record<string, string> = secret === undefined ? {} : { "x-portal-session": secret };
    return service.call(method, `/v2/portal/webhook${path}`, { key: null, headers, ...(body ? { body } : {}) });
  };
  const linkOf = async (key: string) => {
    const { status, body } = await service.call("GET", "/v2/team/svix/url", { key });
    expect([status, Object.keys(body)]).toEqual([200, ["url", "expires_at"]]);
    const { origin, pathname, hash } = new URL(body.url);
    expect([origin, pathname]).toEqual([service.baseUrl, "/v2/portal/portal.html"]);
    return hash.slice(1);
  };

  test("opens the endpoints of its team for an hour, and those of no other team", async () => {
    const mine = await receive();
    const other = await receive();
    const secret = await linkOf(mine.key);
    const id = mine.endpoint.endpoint_id;
    expect((await portal(secret, "GET", "")).body.data).toMatchObject([{ id, url: mine.endpoint.url }]);
    expect((await portal(secret, "GET", `/${other.endpoint.endpoint_id}/message`)).status).toBe(404);
    expect((await portal(secret, "POST", `/${other.endpoint.endpoint_id}/test`, {})).status).toBe(404);
    expect(await findItemsContaining(service, secret)).toEqual([]);
    for (const wrong of [undefined, "", "ps_nothing", mine.key])
      expect((await portal(wrong, "GET", "")).body.code).toBe("unauthorized");
    await service.advance(HOUR_MS + 1_000);
    expect((await portal(secret, "GET", "")).status).toBe(401);
  });

  test("lists messages and attempts, sends messages again and sends test events", async () => {
    const { receiver, key, sendSample, messageOf, endpoint } = await receive((_, { data }) => (data.data ? 500 : 204));
    const secret = await linkOf(key);
    const id = endpoint.endpoint_id;
    const eventId = await sendSample(60);
    expect(idsOf(await portal(secret, "GET", `/${id}/message?status=pending`))).toEqual([eventId]);
    const attempts = await portal(secret, "GET", `/${id}${messageOf(eventId, "/attempt")}`);
    expect(attempts.body.data[0]).toMatchObject({ status: 500 });
    expect((await portal(secret, "POST", `/${id}${messageOf(eventId, "/resend")}`)).status).toBe(202);
    const sent = await portal(secret, "POST", `/${id}/test`, { event_type: "daily.data.sleep.created" });
    await service.settle();
    expect(receiver.received.length).toBeGreaterThan(2);
    expect(new Set(arrived(receiver))).toEqual(new Set([eventId, sent.body.event_id]));
  });

  test("opens nothing else, and cannot be created with a management key", async () => {
    const { key } = await receive();
    const headers = { "x-portal-session": await linkOf(key) };
    expect((await service.call("GET", "/v2/user", { key: null, headers })).status).toBe(401);
    const managementKey = service.identity.management_key;
    expect((await service.call("GET", "/v2/team/svix/url", { key: managementKey })).status).toBe(401);
  });

  test("leads to a page that loads nothing from other origins, and whose files are public", async () => {
    const page = await service.call("GET", "/v2/portal/portal.html", { key: null });
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
    expect(page.body).not.toMatch(/(?:src|href)="https?:/);
    const files = [...page.body.matchAll(/(?:src|href)="(portal[^"]+)"/g)].map(([, file]) => file);
    expect(files).toHaveLength(3);
    for (const file of [...files, "portal-parts.js"])
      expect((await service.call("GET", `/v2/portal/${file}`, { key: null })).status).toBe(200);
    expect((await service.call("GET", "/v2/portal/other.js", { key: null })).status).toBe(422);
  });
});
