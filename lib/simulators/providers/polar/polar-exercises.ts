import { DAY_MS } from "../../../domain/shared/durations.ts";
import { formatWallTime } from "../base/local-time.ts";
import { type AuthorizedRequest, authorizedRoute, type Route, type SimulatedReply } from "../base/simulated-http.ts";
import type { SimulatedProvider } from "../base/simulated-provider.ts";
import { type DayWithWorkout, selectAvailableData } from "../synthetic-data/available-data.ts";
import type { SyntheticPerson } from "../synthetic-data/synthetic-person.ts";
import {
  POINT_INTERVAL_S,
  type SyntheticTrackPoint,
  type SyntheticWorkout,
  summarizeWorkout,
} from "../synthetic-data/synthetic-workout.ts";
import { exerciseId, polarUserId } from "./polar-expected-records.ts";
import { registeredAt } from "./polar-users.ts";

const BASE = "www.polaraccesslink.com/v3/exercises";
const AVAILABLE_DAYS = 30;

/** Sport and detailed sport. */
const sports: Readonly<Record<SyntheticWorkout["sport"]["slug"], readonly [string, string]>> = {
  running: ["RUNNING", "RUNNING"],
  cycling: ["CYCLING", "CYCLING"],
  walking: ["WALKING", "WALKING"],
  strength_training: ["STRENGTH_TRAINING", "STRENGTH_TRAINING"],
};

/** Sample types: heart rate, speed in km/h, cadence, altitude, power, distance. */
const sampleTypes: readonly (readonly [string, (point: SyntheticTrackPoint, workout: SyntheticWorkout) => number])[] = [
  ["0", ({ bpm }) => bpm],
  ["1", (_, { sport }) => Math.round(36 * sport.metresPerSecond) / 10],
  ["2", ({ cadence }) => cadence],
  ["3", ({ altitudeM }) => altitudeM],
  ["4", ({ watts }) => watts],
  ["10", ({ distanceM }) => distanceM],
];

/** Routes of the exercises of the last 30 days that ended after the registration. */
export function exerciseRoutes(provider: SimulatedProvider): Route[] {
  return [
    authorizedRoute("GET", BASE, [], ({ grant, query }) => {
      const person = provider.person(grant.account);
      const made = listExercises(provider, grant.account).map((one) => toExercise(person, one, query));
      return { status: 200, body: provider.applyDuplicates(made) };
    }),
    authorizedRoute("GET", `${BASE}/{id}`, [], (call) => exerciseReply(provider, call)),
  ];
}

function listExercises(provider: SimulatedProvider, account: string): DayWithWorkout[] {
  const plan = provider.person(account);
  const since = registeredAt(provider, account) ?? Number.POSITIVE_INFINITY;
  const days = plan.days(provider.now() - AVAILABLE_DAYS * DAY_MS, provider.now());
  return selectAvailableData(days, provider.now()).workouts.filter(({ workout }) => workout.endMs >= since);
}

function exerciseReply(provider: SimulatedProvider, { params, query, grant }: AuthorizedRequest): SimulatedReply {
  const plan = provider.person(grant.account);
  const one = listExercises(provider, grant.account).find(({ day }) => exerciseId(plan, day) === params.id);
  return one ? { status: 200, body: toExercise(plan, one, query) } : { status: 404, body: { error: "not found" } };
}

/** Maps an exercise: local time, and the UTC offset in minutes. */
function toExercise(plan: SyntheticPerson, { day, workout }: DayWithWorkout, query: URLSearchParams) {
  const { averageBpm, maxBpm, distanceM, seconds } = summarizeWorkout(workout);
  const [sport, detailed] = sports[workout.sport.slug];
  return {
    id: exerciseId(plan, day),
    upload_time: `${new Date(workout.endMs).toISOString().slice(0, 19)}Z`,
    polar_user: `https://www.polaraccesslink.com/v3/users/${polarUserId(plan.account)}`,
    device: "Polar Vantage V3",
    device_id: "1111AAAA",
    start_time: formatWallTime(workout.startMs, workout.offsetS).slice(0, 19),
    start_time_utc_offset: workout.offsetS / 60,
    duration: `PT${seconds / 60}M`,
    calories: workout.kcal,
    ...(distanceM > 0 ? { distance: distanceM } : {}),
    heart_rate: { average: averageBpm, maximum: maxBpm },
    training_load: 60,
    sport,
    has_route: distanceM > 0,
    detailed_sport_info: detailed,
    ...(query.get("samples") === "true" ? { samples: toSamples(workout) } : {}),
    ...(query.get("route") === "true" && distanceM > 0 ? { route: toRoute(workout) } : {}),
  };
}

/** Samples by type: comma-separated values at a fixed interval. */
function toSamples(workout: SyntheticWorkout) {
  const { hasPower, metresPerSecond } = workout.sport;
  const has = (type: string) => (type === "4" ? hasPower : type === "0" || metresPerSecond > 0);
  const ofRate = sampleTypes
    .filter(([type]) => has(type))
    .map(([type, read]) => ({
      "recording-rate": POINT_INTERVAL_S,
      "sample-type": type,
      data: workout.points.map((point) => read(point, workout)).join(","),
    }));
  // RR intervals in milliseconds have no recording rate: one value per beat.
  const betweenBeats = { "sample-type": "11", data: workout.points.map(({ bpm }) => 60_000 / bpm).join(",") };
  return [betweenBeats, ...ofRate];
}

/** Offset of positions from whole seconds. */
const FRACTION_S = 0.371;

function toRoute({ points, startMs }: SyntheticWorkout) {
  return points.map(({ latitude, longitude, atMs }) => ({
    latitude,
    longitude,
    time: `PT${(atMs - startMs) / 1000 + FRACTION_S}S`,
    satellites: 9,
    fix: 3,
  }));
}
