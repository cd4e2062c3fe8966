import { globSync, readFileSync, statSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectedProviders } from "../../../lib/connectors/connectors.ts";
import { TestService } from "../../support/service.ts";
import { connectAccount, pullDays } from "./linking-world.ts";
import { application, askForPushes, pushAddress } from "./provider-pushes.ts";
import { functionNamed } from "./stored-items.ts";
import { told } from "./told-truth.ts";

const DAY_MS = 86_400_000;

/** What is looked at of each provider, and what it calls that when it pushes. */
interface Walk {
  readonly slug: string;
  readonly name: "sleep" | "workouts" | "glucose";
  readonly key: string;
  /** How many are pulled when a user connects; connectors by themselves are shown 30 in their unit tests. */
  readonly days: number;
  readonly kind?: string;
}

const night = { name: "sleep", key: "calendar_date", days: 5 } as const;
const workout = { name: "workouts", key: "provider_id", days: 16 } as const;
const walks: readonly Walk[] = [
  { slug: "oura", ...night, kind: "sleep" },
  { slug: "withings", ...night, kind: "44" },
  { slug: "whoop_v2", ...night, kind: "sleep" },
  { slug: "strava", ...workout, kind: "activity" },
  { slug: "dexcom_v3", name: "glucose", key: "timestamp", days: 5 },
  { slug: "polar", ...night, kind: "SLEEP" },
  { slug: "google_health", ...night, kind: "sleep" },
  { slug: "garmin", ...night, kind: "sleeps" },
  { slug: "wahoo", ...workout, kind: "workout_summary" },
  { slug: "ultrahuman", ...night },
  { slug: "fitbit", ...night, kind: "sleep" },
];
const pushing = walks.filter((walk): walk is Walk & { kind: string } => walk.kind !== undefined);

let service: TestService;
/** By provider and account. */
const users = new Map<string, string>();
beforeAll(async () => {
  service = await TestService.start();
}, 120_000);
afterAll(() => service.stop());

const userOf = (slug: string, account = "ada") => users.get(`${slug} ${account}`) ?? "";
const deskOf = (slug: string) => service.started.service.providers.provider(slug);
const dateOf = (daysAgo: number) => new Date(service.cloud.clock.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
const eventsOf = async (userId: string, type: string) =>
  (await service.inbox(type)).map(({ body }) => body).filter(({ user_id }) => user_id === userId);

/** What the provider knows of the days from one date to another. */
function truthOf({ slug, name }: Walk, from: string, to: string) {
  const truth = deskOf(slug).truth("ada", Date.parse(from) + DAY_MS / 2, Date.parse(to) + DAY_MS / 2 + 1);
  // Days of samples are those of the service's user, who is in UTC.
  return (truth[name] ?? []).filter(({ timestamp }) => !(Date.parse(String(timestamp)) < Date.parse(from)));
}

/** What is stored of them. */
async function storedOf({ slug, name }: Walk, from: string, to: string) {
  const dates = `start_date=${from}&end_date=${to}`;
  if (name !== "glucose") {
    return (await service.call("GET", `/v2/summary/${name}/${userOf(slug)}?${dates}`)).body[name];
  }
  const { body } = await service.call("GET", `/v2/timeseries/${userOf(slug)}/${name}/grouped?${dates}`);
  return body.groups[slug].flatMap(({ data }: { data: object[] }) => data);
}

/** Connects a user whose history nobody begins to pull before the sweeper does. */
async function connectQuietly(slug: string, account: string): Promise<void> {
  const userId = await service.createUser(`${account} of ${slug}`);
  users.set(`${slug} ${account}`, userId);
  const finishing = functionNamed(service, "finishOauthLink");
  service.cloud.faults.add({ service: "sqs", function: finishing, mode: "fail_before" });
  await connectAccount(service, userId, account, slug);
  service.cloud.faults.clear();
}

/** The refresh token of a token request: what it stands for, and a signature. */
function refreshTokenIn(body: string): string[] {
  const token = new URLSearchParams(body).get("refresh_token");
  return token ? [token] : [];
}

test("every connector is walked through", () => {
  expect(walks.map(({ slug }) => slug).toSorted()).toEqual(connectedProviders.toSorted());
});

describe.each(walks)("$slug", (walk) => {
  const { slug, name, key, days } = walk;

  test("is connected, though tokens expire at once, and its history is what it has measured, in our units", {
    timeout: 120_000,
  }, async () => {
    // A night of the first day begins the evening before, whatever time of day it is now.
    await pullDays(service, days + 1, slug);
    await askForPushes[slug]?.(service);
    for (const account of ["ada", "gone"]) await connectQuietly(slug, account);
    // Polar's tokens do not expire, and could not be renewed.
    if (slug !== "polar") deskOf(slug).tokens.expireAccess();
    deskOf(slug).tokens.revoke("gone");
    await service.advance(5 * 60_000);
    const [from, to] = [dateOf(days - 1), dateOf(2)];
    const truth = truthOf(walk, from, to);
    expect(truth.length).toBeGreaterThan(1);
    expect(told(await storedOf(walk, from, to), truth, key)).toEqual(told(truth, truth, key));
    // What Garmin was asked for comes as its pushes do.
    const isHistory = slug !== "garmin";
    expect(await eventsOf(userOf(slug), `historical.data.${name}.created`)).toHaveLength(isHistory ? 1 : 0);
  });

  test("has its refresh token exchanged once, however many resources are pulled", () => {
    const { requests } = service.started.service.providers;
    const exchanged = requests.filter((one) => one.slug === slug).flatMap(({ body }) => refreshTokenIn(body));
    const accounts = exchanged.map(
      (token) => JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()).account,
    );
    expect(accounts.filter((account) => account === "ada")).toHaveLength(slug === "polar" ? 0 : 1);
  });

  test("that takes access back has the connection end in an error, which is told once", async () => {
    const userId = userOf(slug, "gone");
    const error_type = "token_refresh_failed";
    expect(await eventsOf(userId, "provider.connection.error")).toMatchObject([{ data: { error_type } }]);
    const { body } = await service.call("GET", `/v2/user/providers/${userId}`);
    expect(body.providers).toMatchObject([{ slug, status: "error", error_details: { error_type } }]);
  });
});

describe("a push", () => {
  test.each(pushing)("of $slug brings what it tells of", { timeout: 60_000 }, async (walk) => {
    const { slug, kind, key, days } = walk;
    // Older than what was pulled.
    const [from, to] = [dateOf(days + 16), dateOf(days + 6)];
    const truth = truthOf(walk, from, to).slice(-1);
    const [right] = truth;
    const date = String(right?.calendar_date ?? right?.time_start).slice(0, 10);
    expect(await storedOf(walk, from, to)).toEqual([]);
    const attempts = await deskOf(slug).notify({ account: "ada", kind, date, change: "create" });
    expect(attempts.map(({ status }) => status)).toEqual([200]);
    await service.settle();
    expect(told(await storedOf(walk, from, to), truth, key)).toEqual(told(truth, truth, key));
  });

  test("that nobody sent is refused, and one about nobody does nothing", async () => {
    for (const { slug } of pushing) {
      const { status } = await fetch(`${service.baseUrl}/v2/link/push/${slug}`, { method: "POST", body: "{}" });
      expect([slug, status]).toEqual([slug, 401]);
    }
    const form = new URLSearchParams({ userid: "1", startdate: "1", enddate: "2", appli: "44" });
    const about = async (slug: string) =>
      (await fetch(pushAddress(service, slug), { method: "POST", body: form })).status;
    expect(await about("withings")).toBe(200);
    expect(await about("dexcom_v3")).toBe(404);
    const headers = { "garmin-client-id": application.clientId };
    const broken = { method: "POST", headers, body: "no JSON" };
    expect((await fetch(pushAddress(service, "garmin"), broken)).status).toBe(400);
  });

  test.each([
    ["strava", "athlete"],
    ["garmin", "deregistrations"],
    ["fitbit", "userRevokedAccess"],
  ])("of %s about a user who took access back ends the connection, and is told once", async (slug, kind) => {
    for (const _ of [1, 2]) await deskOf(slug).notify({ account: "ada", kind, date: dateOf(1), change: "update" });
    await service.settle();
    expect(await eventsOf(userOf(slug), "provider.connection.error")).toMatchObject([
      { data: { error_type: "deregistered_per_provider" } },
    ]);
  });
});

test("no token, secret or key of an address is stored or logged in clear", () => {
  const { requests } = service.started.service.providers;
  const bearers = requests.map(({ headers }) => /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1]);
  const refreshed = requests.flatMap(({ body }) => refreshTokenIn(body));
  const keys = pushing.map(({ slug }) => new URL(pushAddress(service, slug)).searchParams.get("key"));
  const secrets = new Set([application.clientSecret, ...bearers, ...refreshed, ...keys].filter((one) => one != null));
  secrets.delete("");
  expect(secrets.size).toBeGreaterThan(30);
  const files = globSync(`${service.data.path}/**/*`).filter((file) => statSync(file).isFile());
  const contents = files.map((file) => readFileSync(file));
  // Something that is stored is found: the search sees what it claims to see.
  expect(contents.some((bytes) => bytes.includes(userOf("strava")))).toBe(true);
  for (const secret of secrets) expect(contents.some((bytes) => bytes.includes(secret))).toBe(false);
});
