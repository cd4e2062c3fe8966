import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { AccessEntry } from "../../../../lib/domain/audit/access-entry.ts";
import { TestService } from "../../../support/service.ts";
import { ingestBatch } from "../ingest/ingest-batch.ts";
import { orderRequest } from "../orders/order-helpers.ts";
import { findFunctionName } from "../support/stored-items.ts";
import { Receiver } from "../webhooks/webhook-receiver.ts";

const DAY_MS = 86_400_000;

const address = { first_line: "1 Main Street", city: "Phoenix", state: "AZ", zip_code: "85004" };
const contact = { email: "a@example.com", phone_number: "+16025550100", gender: "female", dob: "1985-03-14" };
const person = { first_name: "Unrecorded", last_name: "Name", ...contact, address };

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterEach(() => service.cloud.faults.clear());
afterAll(() => service.stop());

const digestOf = (userId: string) => createHash("sha256").update(`${service.identity.team_id}/${userId}`).digest("hex");
const read = (query = "") => {
  const { org_id, team_id } = service.identity;
  return service.manage("GET", `/v1/org/${org_id}/team/${team_id}/access_log${query}`);
};
const entries = async (query = ""): Promise<AccessEntry[]> => (await read(query)).body.entries;
const of = async (operation: string) => (await entries()).filter((entry) => entry.operation === operation);

describe("an audited call", () => {
  test("is recorded with its key, the digest of the user and its outcome, but without its content", async () => {
    const userId = await service.createUser("recorded@example.com");
    const { headers } = await service.call("PATCH", `/v2/user/${userId}/info`, { body: person });
    const [entry] = await of("upsertUserInfo");
    expect(entry).toEqual({
      id: headers.get("x-request-id"),
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      caller: "team",
      key_id: expect.any(String),
      session_id: null,
      actor: null,
      reason: null,
      operation: "upsertUserInfo",
      subject: digestOf(userId),
      target: {},
      status: 200,
    });
    expect(service.identity.api_key).toContain(entry?.key_id);
    expect(JSON.stringify(await entries())).not.toMatch(new RegExp(`Unrecorded|recorded@|${userId}`));
  });

  test("is recorded with the key that created the link or session of the call", { tags: "deep" }, async () => {
    const userId = await service.createUser("by a link");
    const { body: link } = await service.call("POST", "/v2/link/token", { body: { user_id: userId } });
    const headers = { "x-service-link-token": link.link_token };
    await service.call("GET", "/v2/link/token", { key: null, headers });
    const { body: signIn } = await service.call("POST", `/v2/user/${userId}/sign_in_token`);
    const given = { key: null, body: { sign_in_token: signIn.sign_in_token } };
    const { body: session } = await service.call("POST", "/v2/sdk/session", given);
    const bearer = { authorization: `Bearer ${session.access_token}` };
    await service.call("POST", "/v2/sdk/session/revoke", { key: null, headers: bearer });
    for (const [operation, caller] of [
      ["getLinkToken", "link"],
      ["revokeSession", "session"],
    ] as const) {
      const [entry] = await of(operation);
      expect(entry).toMatchObject({ caller, subject: digestOf(userId) });
      expect(service.identity.api_key).toContain(entry?.key_id);
    }
  });

  test("is recorded with the user after the call identifies one that the request does not name", {
    tags: "deep",
  }, async () => {
    const userId = await service.createUser("with an order");
    const { body } = await service.call("POST", "/v3/order", { body: orderRequest(userId) });
    await service.call("GET", `/v3/order/${body.order.id}`);
    await service.call("GET", "/v2/user/resolve/with an order");
    const target = { order_id: body.order.id };
    expect((await of("getOrder"))[0]).toMatchObject({ subject: digestOf(userId), target, status: 200 });
    expect((await of("createOrder"))[0]).toMatchObject({ subject: digestOf(userId), status: 200 });
    expect((await of("getUserByClientUserId"))[0]).toMatchObject({
      subject: digestOf(userId),
      target: {},
      status: 200,
    });
  });

  test("is recorded when it is refused after authentication, and not when it is malformed or has no valid key", async () => {
    const path = "/v2/timeseries/00000000-0000-4000-8000-000000000000/heartrate/grouped?start_date=2026-05-01";
    await service.call("GET", path);
    const found = await of("getGroupedTimeseries");
    expect(found).toMatchObject([{ status: 404, target: { resource: "heartrate" } }]);
    await service.call("GET", path, { key: "sk_us_wrong" });
    await service.call("GET", path.replace("heartrate", "no-resource"));
    expect(await of("getGroupedTimeseries")).toEqual(found);
  });

  test("takes one write to record if it is a successful read, and two if it is a change", async () => {
    const userId = await service.createUser("counted");
    const countOf = async (work: () => Promise<unknown>) => {
      await work();
      service.cloud.meter.reset();
      await work();
      const tables = Object.entries(service.cloud.meter.snapshot().tables);
      const calls = tables.flatMap(([name, usage]) => (name.includes("audit") ? Object.values(usage) : []));
      return calls.reduce((sum, { requests }) => sum + requests, 0);
    };
    expect(await countOf(() => service.call("GET", `/v2/user/${userId}`))).toBe(1);
    expect(await countOf(() => service.call("POST", `/v2/user/${userId}/sign_in_token`))).toBe(2);
  });

  test("is recorded when it comes through a page that needs no key", async () => {
    const userId = await service.createUser("with a page");
    await service.call("PATCH", `/v2/user/${userId}/info`, { body: person });
    const asked = { body: { context: "launch" } };
    const { body } = await service.call("POST", `/v2/user/${userId}/create_portal_url`, asked);
    const { pathname, search } = new URL(body.url);
    expect((await service.call("GET", `${pathname}${search}`, { key: null })).status).toBe(200);
    expect(await of("getUserPortal")).toMatchObject([{ caller: "none", key_id: null, subject: digestOf(userId) }]);
  });
});

describe("data that leaves the service", () => {
  test("is recorded for each attempt at a webhook, with the endpoint", { tags: "deep" }, async () => {
    const { org_id, team_id } = service.identity;
    const receiver = await Receiver.start(service, () => 500);
    const path = `/v1/org/${org_id}/team/${team_id}/sandbox/webhook`;
    const { body } = await service.manage("POST", path, { body: { url: receiver.url } });
    const userId = await service.createUser("with events");
    await ingestBatch(service, userId, { activity: [{ calendar_date: "2026-05-01", steps: 1 }] });
    await service.advance(10_000);
    const attempts = receiver.received.map(({ body: { user_id } }) => user_id).filter((id) => id === userId);
    const recorded = (await of("attemptDelivery")).filter(({ target }) => target.endpoint_id === body.id);
    expect(attempts.length).toBeGreaterThan(1);
    expect(recorded.map(({ subject }) => subject)).toEqual(attempts.map(digestOf));
    expect(new Set(recorded.map(({ id }) => id)).size).toBe(recorded.length);
    expect(recorded[0]).toMatchObject({ caller: "service", key_id: null, target: { event_id: expect.any(String) } });
    await service.manage("DELETE", `${path}/${body.id}`);
    await receiver.stop();
  });

  test("is recorded for each run of an export before it reads", async () => {
    const userId = await service.createUser("exported");
    const { body } = await service.call("POST", `/v2/user/${userId}/export`);
    await service.settle();
    expect(await of("runExport")).toMatchObject([{ subject: digestOf(userId), target: { export_id: body.id } }]);
  });
});

describe("a call that cannot be recorded", () => {
  /**
   * Makes the next calls of a function fail: the one that leases requests may come first, then the one that records.
   */
  const failRecording = (operation: string, calls: readonly number[]) => {
    const fault = { service: "dynamodb", mode: "fail_before", every_attempt: true } as const;
    for (const at_call of calls) {
      service.cloud.faults.add({ ...fault, function: findFunctionName(service, operation), at_call });
    }
  };
  const log = () => readFileSync(service.data.file("functions.log"), "utf8");

  test("has no effect", async () => {
    await service.createUser("warm");
    failRecording("createUser", [1, 2]);
    const { status, body } = await service.call("POST", "/v2/user", { body: { client_user_id: "unrecorded" } });
    expect([status, body.code]).toEqual([503, "unavailable"]);
    expect(log()).toMatch(new RegExp(`could not be recorded in the access log.*${body.request_id}`));
    service.cloud.faults.clear();
    expect((await service.call("GET", "/v2/user/resolve/unrecorded")).status).toBe(404);
  });

  test("gets no answer", async () => {
    const userId = await service.createUser("kept back");
    // The record and the read run in parallel, so the call that records is known only afterwards.
    const unrecorded = async (call: number): Promise<number | undefined> => {
      await service.call("GET", `/v2/user/${userId}`);
      failRecording("getUser", [call]);
      const { status, headers } = await service.call("GET", `/v2/user/${userId}`);
      service.cloud.faults.clear();
      const line = new RegExp(`could not be recorded in the access log.*${headers.get("x-request-id")}`);
      return line.test(log()) ? status : undefined;
    };
    const statuses: (number | undefined)[] = [];
    for (let attempt = 0; attempt < 40 && !statuses.some(Boolean); attempt++) {
      statuses.push(await unrecorded((attempt % 4) + 1));
    }
    expect(statuses.filter(Boolean)).toEqual([503]);
  });
});

describe("the access log", () => {
  test("lists entries newest first, in pages that omit and repeat none, over several days", async () => {
    const userId = await service.createUser("often read");
    const start = new Date(service.cloud.clock.now()).toISOString();
    for (let day = 0; day < 3; day++) {
      for (let call = 0; call < 75; call++) await service.call("GET", `/v2/user/${userId}`);
      await service.advance(DAY_MS);
    }
    for (const query of [`start_at=${start}`, `start_at=${start}&user_id=${userId}`]) {
      const all: AccessEntry[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const { body } = await read(`?${query}${cursor && `&next_cursor=${cursor}`}`);
        all.push(...body.entries);
        cursor = body.next_cursor;
      }
      const mine = all.filter(({ operation }) => operation === "getUser");
      expect(mine).toHaveLength(225);
      expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
      const times = all.map(({ at }) => at);
      expect(times).toEqual(times.toSorted().reverse());
    }
  });

  test("accepts a range of at most 31 days, and binds a cursor to its query", async () => {
    expect((await read("?start_at=2026-01-01T00:00:00Z&end_at=2026-03-01T00:00:00Z")).status).toBe(422);
    expect((await read("?start_at=2026-01-02T00:00:00Z&end_at=2026-01-01T00:00:00Z")).status).toBe(422);
    // Without an end, the start is the field that is wrong.
    const late = await read("?start_at=2100-01-01T00:00:00Z");
    expect([late.status, late.body.detail[0].loc]).toEqual([422, ["query", "start_at"]]);
    const { next_cursor } = (await read()).body;
    expect(next_cursor).not.toBeNull();
    expect((await read(`?next_cursor=${next_cursor}`)).status).toBe(200);
    expect((await read(`?user_id=00000000-0000-4000-8000-000000000000&next_cursor=${next_cursor}`)).status).toBe(422);
  });

  test("belongs to one team, and answers 404 to another organization", async () => {
    const { key, teamId } = await service.createTeam("Another");
    const userId = await service.createUser("of another team", key);
    const { org_id } = service.identity;
    const { body } = await service.manage("GET", `/v1/org/${org_id}/team/${teamId}/access_log?user_id=${userId}`);
    expect(body.entries).toMatchObject([{ operation: "createUser", status: 200 }]);
    expect((await entries(`?user_id=${userId}`)).length).toBe(0);
    const nowhere = `/v1/org/${org_id}/team/00000000-0000-4000-8000-000000000000/access_log`;
    expect((await service.manage("GET", nowhere)).status).toBe(404);
  });
});
