import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { findFunctionName } from "../support/stored-items.ts";
import { connectAccount, setPullDays } from "./link-helpers.ts";
import { pickTruthFields } from "./match-truth.ts";

const DAY_MS = 86_400_000;

let service: TestService;
let user: string;
let from: string;
let to: string;
beforeAll(async () => {
  service = await TestService.start();
  user = await service.createUser("ada");
  const now = service.cloud.clock.now();
  from = new Date(now - 29 * DAY_MS).toISOString().slice(0, 10);
  to = new Date(now - 2 * DAY_MS).toISOString().slice(0, 10);
  await setPullDays(service, 30);
  await connectAccount(service, user, "ada");
  await service.settle();
  await service.advance(60_000);
}, 120_000);
afterAll(() => service.stop());

type Record_ = Readonly<Record<string, unknown>>;

/** Returns the simulator's data in the unified model. */
const truthOf = (resource: string): readonly Record_[] =>
  service.started.service.providers
    .provider("oura")
    .expectedRecords("ada", Date.parse(from) + DAY_MS / 2, Date.parse(to) + DAY_MS / 2)[resource] ?? [];

/** Returns the stored summaries of those days. */
async function summaries(name: string): Promise<Record_[]> {
  const { body } = await service.call("GET", `/v2/summary/${name}/${user}?start_date=${from}&end_date=${to}`);
  return body[name];
}

async function samples(resource: string): Promise<Record_[]> {
  const all: Record_[] = [];
  let cursor: string | null = null;
  do {
    const path = `/v2/timeseries/${user}/${resource}/grouped?start_date=${from}&end_date=${to}`;
    const { body } = await service.call("GET", cursor ? `${path}&next_cursor=${encodeURIComponent(cursor)}` : path);
    all.push(...(body.groups.oura ?? []).flatMap(({ data }: { data: Record_[] }) => data));
    cursor = body.next_cursor;
  } while (cursor !== null);
  return all;
}

test.each([
  ["activity", "calendar_date"],
  ["sleep", "calendar_date"],
  ["workouts", "provider_id"],
])("%s of 30 days equal the measurements of the ring, in the unified units [service-03]", async (name, key) => {
  const truth = truthOf(name);
  expect(truth.length).toBeGreaterThan(3);
  expect(pickTruthFields(await summaries(name), truth, key)).toEqual(pickTruthFields(truth, truth, key));
});

test.each(["heartrate", "hrv"])("%s of 30 days equals the measurements of the ring", async (resource) => {
  const first = Date.parse(from);
  const within = ({ timestamp }: Record_) => Date.parse(String(timestamp)) >= first;
  const truth = truthOf(resource).filter(within);
  expect(truth.length).toBeGreaterThan(100);
  const stored = await samples(resource);
  const byTime = new Map(stored.map(({ timestamp, value }) => [Date.parse(String(timestamp)), value]));
  const missing = truth.filter(({ timestamp, value }) => byTime.get(Date.parse(String(timestamp))) !== value);
  expect(missing).toEqual([]);
});

test("a sleep has its stages", async () => {
  const [sleep] = await summaries("sleep");
  const { body } = await service.call("GET", `/v2/timeseries/sleep/${sleep?.id}/stream`);
  const truth = truthOf("hypnogram").filter(
    ({ start }) =>
      Date.parse(String(start)) >= Date.parse(String(sleep?.bedtime_start)) &&
      Date.parse(String(start)) < Date.parse(String(sleep?.bedtime_stop)),
  );
  const spans = (all: readonly Record_[]) =>
    all.map(({ start, end, value }) => [Date.parse(String(start)), Date.parse(String(end)), value]);
  expect(spans(body.hypnogram)).toEqual(spans(truth));
});

test("the profile equals the provider's profile", async () => {
  const { body } = await service.call("GET", `/v2/summary/profile/${user}`);
  expect(body).toMatchObject(truthOf("profile")[0] ?? {});
});

test("each resource sends one history event after all of it is stored", async () => {
  const events = await service.inbox();
  const names = events
    .map(({ body }) => body.event_type as string)
    .filter((type) => type.startsWith("historical.data."))
    .toSorted();
  expect(names).toEqual(
    ["activity", "blood_oxygen", "body_temperature_delta", "heartrate", "hrv", "profile", "sleep"]
      .concat("sleep_cycle", "vo2_max", "workouts")
      .map((name) => `historical.data.${name}.created`),
  );
});

describe("a provider", () => {
  const errorEvents = async () => (await service.inbox("provider.connection.error")).map(({ body }) => body);

  /** Connects a user whose history only the sweeper pulls. */
  async function connectQuietly(account: string): Promise<string> {
    const userId = await service.createUser(account);
    const finishing = findFunctionName(service, "finishOauthLink");
    service.cloud.faults.add({ service: "sqs", function: finishing, mode: "fail_before" });
    await connectAccount(service, userId, account);
    service.cloud.faults.clear();
    return userId;
  }

  test("that limits requests gets the next one at the time that it states, and delivers all data", {
    tags: "deep",
  }, async () => {
    await setPullDays(service, 5);
    const eve = await connectQuietly("eve");
    service.started.service.providers.provider("oura").setSwitches({ rate_limited: 3 });
    await service.advance(60 * 60_000);
    const events = (await service.inbox()).filter(({ body }) => body.user_id === eve);
    const histories = events.map(({ body }) => body.event_type).filter((type) => type.startsWith("historical.data."));
    expect(new Set(histories).size).toBe(histories.length);
    expect(histories).toEqual(
      expect.arrayContaining(["historical.data.sleep.created", "historical.data.profile.created"]),
    );
    const profile = events.find(({ body }) => body.event_type === "historical.data.profile.created")?.body.data;
    expect(Date.parse(profile.end_date) - Date.parse(profile.start_date)).toBe(5 * DAY_MS);
  });

  test("that expired its tokens issues new ones, each once", { tags: "deep" }, async () => {
    await connectQuietly("tokens");
    const { providers } = service.started.service;
    const exchanges = () =>
      providers.requests.filter(({ path, body }) => path === "/oauth/token" && /refresh/.test(body));
    const before = exchanges().length;
    providers.provider("oura").tokens.expireAccessTokens();
    await service.advance(5 * 60_000);
    const made = exchanges().slice(before);
    expect(made.map(({ status }) => status)).toEqual([200]);
  });

  test("that revokes access breaks the connection, which sends one error event", { tags: "deep" }, async () => {
    const gone = await connectQuietly("gone");
    service.started.service.providers.provider("oura").tokens.revoke("gone");
    await service.advance(5 * 60_000);
    expect((await errorEvents()).filter(({ user_id }) => user_id === gone)).toEqual([
      expect.objectContaining({ data: expect.objectContaining({ error_type: "token_refresh_failed" }) }),
    ]);
    const { body } = await service.call("GET", `/v2/user/providers/${gone}`);
    expect(body.providers[0]).toMatchObject({ status: "error", error_details: { error_type: "token_refresh_failed" } });
  });

  test("receives one revocation when its connection ends", async () => {
    const { providers } = service.started.service;
    const revoked = () => providers.requests.filter(({ path }) => path === "/oauth/revoke").length;
    const before = revoked();
    expect((await service.call("DELETE", `/v2/user/${user}/oura`)).body).toEqual({ success: true });
    expect(revoked() - before).toBe(1);
    expect((await service.call("DELETE", `/v2/user/${user}/oura`)).status).toBe(404);
  });
});
