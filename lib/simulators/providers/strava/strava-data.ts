import { isApplication } from "../frame/application.ts";
import { wallTime } from "../frame/local-time.ts";
import type { ProviderDesk } from "../frame/provider-desk.ts";
import {
  type Call,
  formOf,
  type GrantedCall,
  granted,
  open,
  type Route,
  type SimulatedReply,
} from "../frame/simulated-http.ts";
import { type DayWithWorkout, knownOf } from "../plan/known-days.ts";
import type { PersonPlan } from "../plan/person-plan.ts";
import { type PlannedPoint, type PlannedWorkout, totalsOf } from "../plan/planned-workout.ts";
import { activityId, stravaUserId } from "./strava-truth.ts";

const API = "www.strava.com/api/v3";
const READ = ["activity:read_all", "activity:read"];
const sportTypes: Readonly<Record<PlannedWorkout["sport"]["slug"], string>> = {
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
export function stravaDataRoutes(desk: ProviderDesk): Route[] {
  return [
    granted("GET", `${API}/athlete`, [], ({ grant: { account } }) => {
      const plan = desk.plan(account);
      const { weightG } = plan.day(plan.zone.dayOf(desk.now()));
      const sex = plan.sex === "female" ? "F" : "M";
      return { status: 200, body: { ...stravaAthlete(account), sex, weight: weightG / 1000 } };
    }),
    granted("GET", `${API}/athlete/activities`, READ, (call) => activities(desk, call)),
    granted("GET", `${API}/activities/{id}`, READ, (call) =>
      oneActivity(desk, call, (plan, found) => detailed(plan, found)),
    ),
    granted("GET", `${API}/activities/{id}/streams`, READ, (call) => {
      return oneActivity(desk, call, (_, { workout }) => streams(workout, (call.query.get("keys") ?? "").split(",")));
    }),
    open("POST", "www.strava.com/oauth/deauthorize", (call) => deauthorize(desk, call)),
    open("POST", "www.strava.com/oauth/revoke", (call) => {
      // Revocation accepts HTTP Basic authentication only, unlike token requests (Strava's authentication guide).
      if (!isApplication(call, ["basic"])) return { status: 401, body: { error: "invalid_client" } };
      const account = desk.tokens.accountOf(formOf(call).get("token") ?? "");
      if (account !== undefined) desk.tokens.revoke(account);
      return { status: 200 };
    }),
  ];
}

function deauthorize(desk: ProviderDesk, call: Call): SimulatedReply {
  const [, bearer] = /^Bearer (.+)$/i.exec(call.headers.authorization ?? "") ?? [];
  const token = bearer ?? formOf(call).get("access_token") ?? call.query.get("access_token") ?? "";
  const account = desk.tokens.accountOf(token);
  if (account === undefined) return desk.rules.unauthorized(call);
  desk.tokens.revoke(account);
  return { status: 200, body: { access_token: token } };
}

function activities(desk: ProviderDesk, { query, grant }: GrantedCall): SimulatedReply {
  const page = Number(query.get("page") ?? 1);
  const size = Number(query.get("per_page") ?? 30);
  const isValid = Number.isInteger(page) && page >= 1 && Number.isInteger(size) && size >= 1 && size <= 200;
  if (!isValid)
    return {
      status: 400,
      body: { message: "Bad Request", errors: [{ resource: "Activity", field: "per_page", code: "invalid" }] },
    };
  const before = query.has("before") ? Number(query.get("before")) * 1000 : desk.now();
  const after = Number(query.get("after") ?? 0) * 1000;
  const plan = desk.plan(grant.account);
  const found = knownOf(plan.days(after, before), desk.now()).workouts.filter(
    ({ workout: { startMs } }) => startMs > after && startMs < before,
  );
  // With `after`, Strava lists the oldest activity first.
  const ordered = query.has("after") ? found : found.reverse();
  const listed = ordered.slice((page - 1) * size, page * size).map((one) => summary(plan, one));
  return { status: 200, body: desk.listed(listed) };
}

function oneActivity(
  desk: ProviderDesk,
  { params, grant }: GrantedCall,
  bodyOf: (plan: PersonPlan, found: DayWithWorkout) => object,
): SimulatedReply {
  const plan = desk.plan(grant.account);
  const all = knownOf(plan.days(0, desk.now()), desk.now()).workouts;
  const found = all.find(({ day }) => String(activityId(plan, day)) === params.id);
  if (found) return { status: 200, body: bodyOf(plan, found) };
  const errors = [{ resource: "Activity", field: "id", code: "not found" }];
  return { status: 404, body: { message: "Record Not Found", errors } };
}

function summary(plan: PersonPlan, { day, workout }: DayWithWorkout) {
  const totals = totalsOf(workout);
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
    start_date_local: `${wallTime(workout.startMs, workout.offsetS).slice(0, 19)}Z`,
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

function detailed(plan: PersonPlan, found: DayWithWorkout) {
  return { ...summary(plan, found), resource_state: 3, calories: found.workout.kcal, description: null };
}

const columns: Readonly<Record<string, (point: PlannedPoint, workout: PlannedWorkout) => unknown>> = {
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
function streams(workout: PlannedWorkout, keys: readonly string[]) {
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
