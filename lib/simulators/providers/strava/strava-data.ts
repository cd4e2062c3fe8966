import { isApplication } from "../base/application.ts";
import { formatWallTime } from "../base/local-time.ts";
import {
  type AuthorizedRequest,
  authorizedRoute,
  parseForm,
  publicRoute,
  type Route,
  type RoutedRequest,
  type SimulatedReply,
} from "../base/simulated-http.ts";
import type { SimulatedProvider } from "../base/simulated-provider.ts";
import { type DayWithWorkout, selectAvailableData } from "../synthetic-data/available-data.ts";
import type { SyntheticPerson } from "../synthetic-data/synthetic-person.ts";
import {
  type SyntheticTrackPoint,
  type SyntheticWorkout,
  summarizeWorkout,
} from "../synthetic-data/synthetic-workout.ts";
import { activityId, stravaUserId } from "./strava-expected-records.ts";

const API = "www.strava.com/api/v3";
const READ = ["activity:read_all", "activity:read"];
const sportTypes: Readonly<Record<SyntheticWorkout["sport"]["slug"], string>> = {
  running: "Run",
  cycling: "Ride",
  walking: "Walk",
  strength_training: "WeightTraining",
};

/** The athlete object of responses. */
export function stravaAthlete(account: string) {
  return { id: stravaUserId(account), username: account, resource_state: 2, firstname: account, lastname: "Person" };
}

/** Routes of the athlete, activities and their streams, and of both forms of revocation. */
export function stravaDataRoutes(provider: SimulatedProvider): Route[] {
  return [
    authorizedRoute("GET", `${API}/athlete`, [], ({ grant: { account } }) => {
      const person = provider.person(account);
      const { weightG } = person.day(person.zone.dayAt(provider.now()));
      const sex = person.sex === "female" ? "F" : "M";
      return { status: 200, body: { ...stravaAthlete(account), sex, weight: weightG / 1000 } };
    }),
    authorizedRoute("GET", `${API}/athlete/activities`, READ, (call) => activitiesReply(provider, call)),
    authorizedRoute("GET", `${API}/activities/{id}`, READ, (call) =>
      activityReply(provider, call, (plan, found) => toDetailedActivity(plan, found)),
    ),
    authorizedRoute("GET", `${API}/activities/{id}/streams`, READ, (call) => {
      return activityReply(provider, call, (_, { workout }) =>
        toStreams(workout, (call.query.get("keys") ?? "").split(",")),
      );
    }),
    publicRoute("POST", "www.strava.com/oauth/deauthorize", (call) => deauthorize(provider, call)),
    publicRoute("POST", "www.strava.com/oauth/revoke", (call) => {
      // Revocation accepts HTTP Basic authentication only, unlike token requests (Strava's authentication guide).
      if (!isApplication(call, ["basic"])) return { status: 401, body: { error: "invalid_client" } };
      const account = provider.tokens.findAccount(parseForm(call).get("token") ?? "");
      if (account !== undefined) provider.tokens.revoke(account);
      return { status: 200 };
    }),
  ];
}

function deauthorize(provider: SimulatedProvider, call: RoutedRequest): SimulatedReply {
  const [, bearer] = /^Bearer (.+)$/i.exec(call.headers.authorization ?? "") ?? [];
  const token = bearer ?? parseForm(call).get("access_token") ?? call.query.get("access_token") ?? "";
  const account = provider.tokens.findAccount(token);
  if (account === undefined) return provider.definition.unauthorized(call);
  provider.tokens.revoke(account);
  return { status: 200, body: { access_token: token } };
}

function activitiesReply(provider: SimulatedProvider, { query, grant }: AuthorizedRequest): SimulatedReply {
  const page = Number(query.get("page") ?? 1);
  const size = Number(query.get("per_page") ?? 30);
  const isValid = Number.isInteger(page) && page >= 1 && Number.isInteger(size) && size >= 1 && size <= 200;
  if (!isValid)
    return {
      status: 400,
      body: { message: "Bad Request", errors: [{ resource: "Activity", field: "per_page", code: "invalid" }] },
    };
  const before = query.has("before") ? Number(query.get("before")) * 1000 : provider.now();
  const after = Number(query.get("after") ?? 0) * 1000;
  const plan = provider.person(grant.account);
  const found = selectAvailableData(plan.days(after, before), provider.now()).workouts.filter(
    ({ workout: { startMs } }) => startMs > after && startMs < before,
  );
  // With `after`, Strava lists the oldest activity first.
  const ordered = query.has("after") ? found : found.reverse();
  const listed = ordered.slice((page - 1) * size, page * size).map((one) => toSummaryActivity(plan, one));
  return { status: 200, body: provider.applyDuplicates(listed) };
}

function activityReply(
  provider: SimulatedProvider,
  { params, grant }: AuthorizedRequest,
  bodyOf: (plan: SyntheticPerson, found: DayWithWorkout) => object,
): SimulatedReply {
  const plan = provider.person(grant.account);
  const all = selectAvailableData(plan.days(0, provider.now()), provider.now()).workouts;
  const found = all.find(({ day }) => String(activityId(plan, day)) === params.id);
  if (found) return { status: 200, body: bodyOf(plan, found) };
  const errors = [{ resource: "Activity", field: "id", code: "not found" }];
  return { status: 404, body: { message: "Record Not Found", errors } };
}

function toSummaryActivity(plan: SyntheticPerson, { day, workout }: DayWithWorkout) {
  const totals = summarizeWorkout(workout);
  const isMoving = totals.distanceM > 0;
  const { metresPerSecond, hasPower } = workout.sport;
  return {
    resource_state: 2,
    athlete: { id: stravaUserId(plan.account), resource_state: 1 },
    id: activityId(plan, day),
    name: workout.sport.name,
    distance: totals.distanceM,
    moving_time: totals.seconds,
    elapsed_time: totals.seconds,
    total_elevation_gain: isMoving ? totals.elevationGainM : 0,
    type: sportTypes[workout.sport.slug],
    sport_type: sportTypes[workout.sport.slug],
    start_date: `${new Date(workout.startMs).toISOString().slice(0, 19)}Z`,
    start_date_local: `${formatWallTime(workout.startMs, workout.offsetS).slice(0, 19)}Z`,
    timezone: `(GMT+01:00) ${plan.zone.timeZone}`,
    utc_offset: workout.offsetS,
    manual: false,
    private: true,
    trainer: !isMoving,
    device_watts: hasPower,
    average_speed: metresPerSecond,
    max_speed: metresPerSecond,
    has_heartrate: true,
    average_heartrate: totals.averageBpm,
    max_heartrate: totals.maxBpm,
    ...(isMoving ? { elev_high: totals.highestM, elev_low: totals.lowestM } : {}),
    ...(hasPower ? { average_watts: totals.averageWatts, max_watts: totals.maxWatts } : {}),
  };
}

function toDetailedActivity(plan: SyntheticPerson, found: DayWithWorkout) {
  return { ...toSummaryActivity(plan, found), resource_state: 3, calories: found.workout.kcal, description: null };
}

const columns: Readonly<Record<string, (point: SyntheticTrackPoint, workout: SyntheticWorkout) => unknown>> = {
  time: ({ atMs }, { startMs }) => (atMs - startMs) / 1000,
  heartrate: ({ bpm }) => bpm,
  distance: ({ distanceM }) => distanceM,
  altitude: ({ altitudeM }) => altitudeM,
  latlng: ({ latitude, longitude }) => [latitude, longitude],
  cadence: ({ cadence }) => cadence,
  watts: ({ watts }) => watts,
  velocity_smooth: (_, { sport }) => sport.metresPerSecond,
};

/** Streams by type, all of equal length; omits types without measurements. */
function toStreams(workout: SyntheticWorkout, keys: readonly string[]) {
  const isMoving = workout.sport.metresPerSecond > 0;
  const has = (key: string) => {
    if (key === "watts") return workout.sport.hasPower;
    return key === "time" || key === "heartrate" || isMoving;
  };
  const wanted = Object.entries(columns).filter(([key]) => keys.includes(key) && has(key));
  const fixed = { series_type: "time", original_size: workout.points.length, resolution: "high" };
  return Object.fromEntries(
    wanted.map(([key, read]) => [key, { data: workout.points.map((point) => read(point, workout)), ...fixed }]),
  );
}
