import { DAY_MS } from "../../demo/zone-days.ts";
import { wallTime } from "../frame/local-time.ts";
import type { ProviderDesk } from "../frame/provider-desk.ts";
import { type GrantedCall, granted, type Route, type SimulatedReply } from "../frame/simulated-http.ts";
import { type DayWithWorkout, knownOf } from "../plan/known-days.ts";
import type { PersonPlan } from "../plan/person-plan.ts";
import { type PlannedPoint, type PlannedWorkout, POINT_S, totalsOf } from "../plan/planned-workout.ts";
import { exerciseId, polarUserId } from "./polar-truth.ts";
import { registeredAt } from "./polar-users.ts";

const BASE = "www.polaraccesslink.com/v3/exercises";
const DAYS = 30;

/** Sport and detailed sport. */
const sports: Readonly<Record<PlannedWorkout["sport"]["slug"], readonly [string, string]>> = {
  running: ["RUNNING", "RUNNING"],
  cycling: ["CYCLING", "CYCLING"],
  walking: ["WALKING", "WALKING"],
  strength_training: ["STRENGTH_TRAINING", "STRENGTH_TRAINING"],
};

/** Sample types: heart rate, speed in km/h, cadence, altitude, power, distance. */
const sampleTypes: readonly (readonly [string, (point: PlannedPoint, workout: PlannedWorkout) => number])[] = [
  ["0", ({ bpm }) => bpm],
  ["1", (_, { sport }) => Math.round(36 * sport.metresPerSecond) / 10],
  ["2", ({ cadence }) => cadence],
  ["3", ({ altitudeM }) => altitudeM],
  ["4", ({ watts }) => watts],
  ["10", ({ distanceM }) => distanceM],
];

/** Routes of the exercises of the last 30 days that ended after the registration. */
export function exerciseRoutes(desk: ProviderDesk): Route[] {
  return [
    granted("GET", BASE, [], ({ grant, query }) => {
      const plan = desk.plan(grant.account);
      const made = found(desk, grant.account).map((one) => exerciseOf(plan, one, query));
      return { status: 200, body: desk.listed(made) };
    }),
    granted("GET", `${BASE}/{id}`, [], (call) => oneExercise(desk, call)),
  ];
}

function found(desk: ProviderDesk, account: string): DayWithWorkout[] {
  const plan = desk.plan(account);
  const since = registeredAt(desk, account) ?? Number.POSITIVE_INFINITY;
  const days = plan.days(desk.now() - DAYS * DAY_MS, desk.now());
  return knownOf(days, desk.now()).workouts.filter(({ workout }) => workout.endMs >= since);
}

function oneExercise(desk: ProviderDesk, { params, query, grant }: GrantedCall): SimulatedReply {
  const plan = desk.plan(grant.account);
  const one = found(desk, grant.account).find(({ day }) => exerciseId(plan, day) === params.id);
  return one ? { status: 200, body: exerciseOf(plan, one, query) } : { status: 404, body: { error: "not found" } };
}

/** Maps an exercise: local time, and the UTC offset in minutes. */
function exerciseOf(plan: PersonPlan, { day, workout }: DayWithWorkout, query: URLSearchParams) {
  const { averageBpm, maxBpm, distanceM, seconds } = totalsOf(workout);
  const [sport, detailed] = sports[workout.sport.slug];
  return {
    id: exerciseId(plan, day),
    upload_time: `${new Date(workout.endMs).toISOString().slice(0, 19)}Z`,
    polar_user: `https://www.polaraccesslink.com/v3/users/${polarUserId(plan.account)}`,
    device: "Polar Vantage V3",
    device_id: "1111AAAA",
    start_time: wallTime(workout.startMs, workout.offsetS).slice(0, 19),
    start_time_utc_offset: workout.offsetS / 60,
    duration: `PT${seconds / 60}M`,
    calories: workout.kcal,
    ...(distanceM > 0 ? { distance: distanceM } : {}),
    heart_rate: { average: averageBpm, maximum: maxBpm },
    training_load: 60,
    sport,
    has_route: distanceM > 0,
    detailed_sport_info: detailed,
    ...(query.get("samples") === "true" ? { samples: samplesOf(workout) } : {}),
    ...(query.get("route") === "true" && distanceM > 0 ? { route: routeOf(workout) } : {}),
  };
}

/** Samples by type: comma-separated values at a fixed interval. */
function samplesOf(workout: PlannedWorkout) {
  const { hasPower, metresPerSecond } = workout.sport;
  const has = (type: string) => (type === "4" ? hasPower : type === "0" || metresPerSecond > 0);
  const ofRate = sampleTypes
    .filter(([type]) => has(type))
    .map(([type, read]) => ({
      "recording-rate": POINT_S,
      "sample-type": type,
      data: workout.points.map((point) => read(point, workout)).join(","),
    }));
  // RR intervals in milliseconds have no recording rate: one value per beat.
  const betweenBeats = { "sample-type": "11", data: workout.points.map(({ bpm }) => 60_000 / bpm).join(",") };
  return [betweenBeats, ...ofRate];
}

/** Offset of positions from whole seconds. */
const FRACTION_S = 0.371;

function routeOf({ points, startMs }: PlannedWorkout) {
  return points.map(({ latitude, longitude, atMs }) => ({
    latitude,
    longitude,
    time: `PT${(atMs - startMs) / 1000 + FRACTION_S}S`,
    satellites: 9,
    fix: 3,
  }));
}
