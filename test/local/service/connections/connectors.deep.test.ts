// @module-tag deep
import { globSync, readFileSync, statSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectorSlugs } from "../../../../lib/connectors/connectors.ts";
import { TestService } from "../../../support/service.ts";
import { findFunctionName } from "../support/stored-items.ts";
import { connectAccount, setPullDays } from "./link-helpers.ts";
import { pickTruthFields } from "./match-truth.ts";
import { pushUrl, simulatorApplication, subscribeToPushes } from "./provider-pushes.ts";

const DAY_MS = 86_400_000;

/** The data to check for one provider, and its name for the data type in pushes. */
interface Walk {
  readonly slug: string;
  readonly name: "sleep" | "workouts" | "meal" | "glucose" | "blood_pressure";
  readonly key: string;
  /** Days of history to pull on connection; unit tests of connectors cover 30. */
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
  { slug: "ride_with_gps", ...workout, kind: "trip" },
  { slug: "tidepool", name: "glucose", key: "timestamp", days: 5 },
  { slug: "intervals_icu", ...workout, kind: "ACTIVITY_UPLOADED" },
  { slug: "map_my_fitness", ...workout },
  { slug: "omron", name: "blood_pressure", key: "timestamp", days: 5, kind: "upload" },
  { slug: "concept2", ...workout, kind: "result" },
  { slug: "suunto", ...workout, kind: "workout" },
  { slug: "hammerhead_v2", ...workout, days: 40 },
  { slug: "ihealth", name: "blood_pressure", key: "timestamp", days: 5 },
  { slug: "cronometer", name: "meal", key: "provider_id", days: 5 },
  { slug: "fitbit", ...night, kind: "sleep" },
];
/** Providers whose tokens do not expire and cannot be refreshed. */
const withoutRefresh = ["polar", "ride_with_gps", "intervals_icu", "cronometer"];
const pushing = walks.filter((walk): walk is Walk & { kind: string } => walk.kind !== undefined);

let service: TestService;
/** User ids by provider and account. */
const users = new Map<string, string>();
beforeAll(async () => {
  service = await TestService.start();
}, 120_000);
afterAll(() => service.stop());

const userOf = (slug: string, account = "ada") => users.get(`${slug} ${account}`) ?? "";
const simulatorOf = (slug: string) => service.started.service.providers.provider(slug);
const dateOf = (daysAgo: number) => new Date(service.cloud.clock.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
const eventsOf = async (userId: string, type: string) =>
  (await service.inbox(type)).map(({ body }) => body).filter(({ user_id }) => user_id === userId);

/** Returns the provider's true records between two dates. */
function truthOf({ slug, name }: Walk, from: string, to: string) {
  const noonOf = (date: string) => Date.parse(date) + DAY_MS / 2;
  const truth = simulatorOf(slug).expectedRecords("ada", noonOf(from), noonOf(to) + 1);
  // Days of samples are days of the service's user, who is in UTC.
  return (truth[name] ?? []).filter(({ timestamp }) => !(Date.parse(String(timestamp)) < Date.parse(from)));
}

/** Returns the stored records between two dates. */
async function storedOf({ slug, name }: Walk, from: string, to: string) {
  const dates = `start_date=${from}&end_date=${to}`;
  if (name === "sleep" || name === "workouts" || name === "meal") {
    return (await service.call("GET", `/v2/summary/${name}/${userOf(slug)}?${dates}`)).body[
      name === "meal" ? "meals" : name
    ];
  }
  const { body } = await service.call("GET", `/v2/timeseries/${userOf(slug)}/${name}/grouped?${dates}`);
  return (body.groups[slug] ?? []).flatMap(({ data }: { data: object[] }) => data);
}

/** Connects a user whose history only the sweeper pulls. */
async function connectQuietly(slug: string, account: string): Promise<void> {
  const userId = await service.createUser(`${account} of ${slug}`);
  users.set(`${slug} ${account}`, userId);
  const finishing = findFunctionName(service, "finishOauthLink");
  service.cloud.faults.add({ service: "sqs", function: finishing, mode: "fail_before" });
  await connectAccount(service, userId, account, slug);
  service.cloud.faults.clear();
}

/** Splits the refresh token of a token request into its payload and its signature. */
function refreshTokenIn({ body, query }: { readonly body: string; readonly query: URLSearchParams }): string[] {
  const token = new URLSearchParams(body).get("refresh_token") ?? query.get("refresh_token");
  return token ? [token] : [];
}

test("every connector has a test row", () => {
  expect(walks.map(({ slug }) => slug).toSorted()).toEqual(connectorSlugs.toSorted());
});

describe.each(walks)("$slug", (walk) => {
  const { slug, name, key, days } = walk;

  test("connects although tokens expire at once, and its history equals its measurements in the unified units", async () => {
    // The first night starts on the evening before, whatever the time of day.
    await setPullDays(service, days + 1, slug);
    await subscribeToPushes[slug]?.(service);
    for (const account of ["ada", "gone"]) await connectQuietly(slug, account);
    if (!withoutRefresh.includes(slug)) simulatorOf(slug).tokens.expireAccessTokens();
    simulatorOf(slug).tokens.revoke("gone");
    await service.advance(5 * 60_000);
    const [from, to] = [dateOf(days - 1), dateOf(2)];
    const truth = truthOf(walk, from, to);
    expect(truth.length).toBeGreaterThan(1);
    expect(pickTruthFields(await storedOf(walk, from, to), truth, key)).toEqual(pickTruthFields(truth, truth, key));
    // Garmin delivers a requested backfill by pushes.
    const isHistory = slug !== "garmin";
    expect(await eventsOf(userOf(slug), `historical.data.${name}.created`)).toHaveLength(isHistory ? 1 : 0);
  });

  test("exchanges its refresh token once, however many resources are pulled", () => {
    const { requests } = service.started.service.providers;
    const exchanged = requests.filter((one) => one.slug === slug).flatMap(refreshTokenIn);
    const accounts = exchanged.map(
      (token) => JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()).account,
    );
    expect(accounts.filter((account) => account === "ada")).toHaveLength(withoutRefresh.includes(slug) ? 0 : 1);
  });

  test("ends the connection with an error when it revokes access, and sends one event", async () => {
    const userId = userOf(slug, "gone");
    const error_type = "token_refresh_failed";
    expect(await eventsOf(userId, "provider.connection.error")).toMatchObject([{ data: { error_type } }]);
    const { body } = await service.call("GET", `/v2/user/providers/${userId}`);
    expect(body.providers).toMatchObject([{ slug, status: "error", error_details: { error_type } }]);
  });
});

describe("a push", () => {
  test.each(pushing)("of $slug stores the data that it announces", async (walk) => {
    const { slug, kind, key, days } = walk;
    // Older than the pulled history.
    const [from, to] = [dateOf(days + 16), dateOf(days + 6)];
    const truth = truthOf(walk, from, to).slice(-1);
    const [right] = truth;
    const date = String(right?.calendar_date ?? right?.time_start ?? right?.timestamp).slice(0, 10);
    expect(await storedOf(walk, from, to)).toEqual([]);
    const attempts = await simulatorOf(slug).notify({ account: "ada", kind, date, change: "create" });
    expect(attempts.map(({ status }) => status)).toEqual([200]);
    await service.settle();
    expect(pickTruthFields(await storedOf(walk, from, to), truth, key)).toEqual(pickTruthFields(truth, truth, key));
  });

  test("with an invalid signature is refused, and one about an unknown user has no effect", async () => {
    for (const { slug } of pushing) {
      const { status } = await fetch(`${service.baseUrl}/v2/link/push/${slug}`, { method: "POST", body: "{}" });
      expect([slug, status]).toEqual([slug, 401]);
    }
    const form = new URLSearchParams({ userid: "1", startdate: "1", enddate: "2", appli: "44" });
    const about = async (slug: string) => (await fetch(pushUrl(service, slug), { method: "POST", body: form })).status;
    expect(await about("withings")).toBe(200);
    expect(await about("dexcom_v3")).toBe(404);
    const headers = { "garmin-client-id": simulatorApplication.clientId };
    const broken = { method: "POST", headers, body: "no JSON" };
    expect((await fetch(pushUrl(service, "garmin"), broken)).status).toBe(400);
  });

  test.each([
    ["strava", "athlete"],
    ["garmin", "deregistrations"],
    ["fitbit", "userRevokedAccess"],
  ])("of %s about a user who revoked access ends the connection and sends one event", async (slug, kind) => {
    for (const _ of [1, 2]) await simulatorOf(slug).notify({ account: "ada", kind, date: dateOf(1), change: "update" });
    await service.settle();
    expect(await eventsOf(userOf(slug), "provider.connection.error")).toMatchObject([
      { data: { error_type: "deregistered_per_provider" } },
    ]);
  });
});

test("tokens, secrets and push keys are neither stored nor logged in plain text", () => {
  const { requests } = service.started.service.providers;
  const bearers = requests.map(({ headers }) => /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1]);
  const refreshed = requests.flatMap(refreshTokenIn);
  const keys = pushing.map(({ slug }) => new URL(pushUrl(service, slug)).searchParams.get("key"));
  const secrets = new Set(
    [simulatorApplication.clientSecret, ...bearers, ...refreshed, ...keys].filter((one) => one != null),
  );
  secrets.delete("");
  expect(secrets.size).toBeGreaterThan(30);
  const files = globSync(`${service.data.path}/**/*`).filter((file) => statSync(file).isFile());
  const contents = files.map((file) => readFileSync(file));
  // The search finds a stored value, which proves that the search works.
  expect(contents.some((bytes) => bytes.includes(userOf("strava")))).toBe(true);
  for (const secret of secrets) expect(contents.some((bytes) => bytes.includes(secret))).toBe(false);
});
