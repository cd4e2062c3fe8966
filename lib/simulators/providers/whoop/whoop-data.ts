import { DAY_MS } from "../../../domain/shared/durations.ts";
import { parseInstant } from "../../../domain/shared/instant.ts";
import { type AuthorizedRequest, authorizedRoute, type Route, type SimulatedReply } from "../base/simulated-http.ts";
import type { SimulatedProvider } from "../base/simulated-provider.ts";
import { selectAvailableData } from "../synthetic-data/available-data.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";
import { MAX_BPM } from "../synthetic-data/synthetic-workout.ts";
import { whoopUserId } from "./whoop-expected-records.ts";
import { toCycleRecord, toRecoveryRecord, toSleepRecord, toWorkoutRecord, type WhoopRecord } from "./whoop-records.ts";

const API = "api.prod.whoop.com/developer/v2";
const MAX_RECORDS_PER_PAGE = 25;
const DEFAULT_RECORDS_PER_PAGE = 10;

/** Builds the record of a day; undefined before it is available. */
type RecordBuilder = (person: SyntheticPerson, day: SyntheticDay) => WhoopRecord | undefined;

/** Routes of collections (newest first), single records, profile, and revocation. */
export function whoopDataRoutes(provider: SimulatedProvider): Route[] {
  const list = (path: string, scope: string, make: RecordBuilder) =>
    authorizedRoute("GET", `${API}${path}`, [scope], (call) => recordsReply(provider, call, make));
  const one = (path: string, scope: string, make: RecordBuilder) =>
    authorizedRoute("GET", `${API}${path}/{id}`, [scope], (call) => recordReply(provider, call, make));
  const slept =
    (make: typeof toSleepRecord): RecordBuilder =>
    (plan, day) => {
      return day.sleep.endMs <= provider.now() ? make(plan, day, provider.now()) : undefined;
    };
  const workout: RecordBuilder = (plan, day) => {
    const [found] = selectAvailableData([day], provider.now()).workouts;
    return found && toWorkoutRecord(plan, day, found.workout, provider.now());
  };
  return [
    list("/cycle", "read:cycles", slept(toCycleRecord)),
    list("/recovery", "read:recovery", slept(toRecoveryRecord)),
    list("/activity/sleep", "read:sleep", slept(toSleepRecord)),
    one("/activity/sleep", "read:sleep", slept(toSleepRecord)),
    list("/activity/workout", "read:workout", workout),
    one("/activity/workout", "read:workout", workout),
    ...personRoutes(provider),
  ];
}

function personRoutes(provider: SimulatedProvider): Route[] {
  return [
    authorizedRoute("GET", `${API}/user/profile/basic`, ["read:profile"], ({ grant: { account } }) => {
      const name = { first_name: account, last_name: "Person" };
      return { status: 200, body: { user_id: whoopUserId(account), email: `${account}@example.com`, ...name } };
    }),
    authorizedRoute("GET", `${API}/user/measurement/body`, ["read:body_measurement"], ({ grant }) =>
      bodyMeasurementReply(provider, grant.account),
    ),
    authorizedRoute("DELETE", `${API}/user/access`, [], ({ grant }) => {
      provider.tokens.revoke(grant.account);
      return { status: 204 };
    }),
  ];
}

function recordsReply(
  provider: SimulatedProvider,
  { query, grant }: AuthorizedRequest,
  make: RecordBuilder,
): SimulatedReply {
  const limit = Number(query.get("limit") ?? DEFAULT_RECORDS_PER_PAGE);
  const start = query.has("start") ? parseInstant(query.get("start"))?.ms : 0;
  const end = query.has("end") ? parseInstant(query.get("end"))?.ms : provider.now();
  const offset = Number(Buffer.from(query.get("nextToken") ?? "MA", "base64url").toString("utf8"));
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_RECORDS_PER_PAGE)
    return { status: 400, body: "limit is not valid" };
  if (start === undefined || end === undefined || start > end)
    return { status: 400, body: "start or end is not valid" };
  if (!Number.isInteger(offset)) return { status: 400, body: "nextToken is not valid" };
  const plan = provider.person(grant.account);
  const found = plan
    .days(start, end + DAY_MS)
    .flatMap((day) => make(plan, day) ?? [])
    .filter(({ startMs }) => startMs >= start && startMs < end)
    .reverse();
  const next = offset + limit;
  const next_token = next < found.length ? Buffer.from(String(next)).toString("base64url") : null;
  return {
    status: 200,
    body: { records: provider.applyDuplicates(found.slice(offset, next)).map(({ body }) => body), next_token },
  };
}

function recordReply(
  provider: SimulatedProvider,
  { params, grant }: AuthorizedRequest,
  make: RecordBuilder,
): SimulatedReply {
  const plan = provider.person(grant.account);
  const found = plan.days(0, provider.now()).flatMap((day) => make(plan, day) ?? []);
  const wanted = found.find(({ id }) => id === params.id);
  return wanted ? { status: 200, body: wanted.body } : { status: 404, body: "No resource found" };
}

function bodyMeasurementReply(provider: SimulatedProvider, account: string): SimulatedReply {
  const plan = provider.person(account);
  const { weightG } = plan.day(plan.zone.dayAt(provider.now()));
  const body = { height_meter: plan.heightCm / 100, weight_kilogram: weightG / 1000, max_heart_rate: MAX_BPM };
  return { status: 200, body };
}
