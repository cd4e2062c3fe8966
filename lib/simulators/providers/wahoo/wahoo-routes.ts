import {
  type AuthorizedRequest,
  authorizedRoute,
  publicRoute,
  type Route,
  type RoutedRequest,
  type SimulatedReply,
} from "../base/simulated-http.ts";
import type { SimulatedProvider } from "../base/simulated-provider.ts";
import { type DayWithWorkout, selectAvailableData } from "../synthetic-data/available-data.ts";
import type { SyntheticPerson } from "../synthetic-data/synthetic-person.ts";
import { type SyntheticWorkout, summarizeWorkout } from "../synthetic-data/synthetic-workout.ts";
import { createWorkoutFile } from "../synthetic-data/workout-file.ts";
import { wahooUserId, wahooWorkoutId } from "./wahoo-expected-records.ts";

const API = "api.wahooligan.com/v1";
const FILES = "cdn.wahooligan.com/wahoo-cloud/production/uploads/workout_file/file";
const READ = ["workouts_read"];
const workoutTypes: Readonly<Record<SyntheticWorkout["sport"]["slug"], number>> = {
  cycling: 0,
  running: 1,
  walking: 6,
  strength_training: 42,
};

const missing: SimulatedReply = { status: 404, body: { error: "not found" } };

/** Routes of the user, of workouts (newest first) with summaries and files, and of the revocation. */
export function wahooRoutes(provider: SimulatedProvider): Route[] {
  const one =
    (bodyOf: (person: SyntheticPerson, found: DayWithWorkout) => object) =>
    (call: AuthorizedRequest): SimulatedReply => {
      const plan = provider.person(call.grant.account);
      const found = listWorkouts(provider, plan).find(({ day }) => `${wahooWorkoutId(plan, day)}` === call.params.id);
      return found ? { status: 200, body: bodyOf(plan, found) } : missing;
    };
  const summary = one((plan, found) => toWorkoutSummary(plan, found, false));
  return [
    authorizedRoute("GET", `${API}/user`, ["user_read"], ({ grant }) => userReply(provider, grant.account)),
    authorizedRoute("GET", `${API}/workouts`, READ, (call) => workoutsReply(provider, call)),
    authorizedRoute("GET", `${API}/workouts/{id}`, READ, one(toWorkout)),
    authorizedRoute("GET", `${API}/workouts/{id}/workout_summary`, READ, summary),
    authorizedRoute("DELETE", `${API}/permissions`, [], ({ grant }) => {
      provider.tokens.revoke(grant.account);
      return { status: 200, body: { success: "Application permissions were revoked." } };
    }),
    publicRoute("GET", `${FILES}/{account}/{name}`, (call) => fileReply(provider, call)),
  ];
}

/** A workout file is public for anyone who knows its address. */
function fileReply(provider: SimulatedProvider, { params }: RoutedRequest): SimulatedReply {
  const plan = provider.person(params.account ?? "");
  const found = listWorkouts(provider, plan).find(({ day }) => `${wahooWorkoutId(plan, day)}.fit` === params.name);
  if (!found) return missing;
  const headers = { "content-type": "application/octet-stream" };
  return { status: 200, headers, body: createWorkoutFile(found.workout) };
}

function listWorkouts(provider: SimulatedProvider, plan: SyntheticPerson): DayWithWorkout[] {
  return selectAvailableData(plan.days(0, provider.now()), provider.now()).workouts.reverse();
}

function userReply(provider: SimulatedProvider, account: string): SimulatedReply {
  const plan = provider.person(account);
  const body = {
    id: wahooUserId(account),
    height: (plan.heightCm / 100).toFixed(2),
    weight: (plan.day(plan.zone.dayAt(provider.now())).weightG / 1000).toFixed(1),
    first: account,
    last: "Person",
    email: `${account}@example.com`,
    birth: `${plan.birthYear}-06-15`,
    gender: plan.sex === "male" ? 0 : 1,
    created_at: "2025-01-01T00:00:00.000Z",
    updated_at: "2025-01-01T00:00:00.000Z",
  };
  return { status: 200, body };
}

function workoutsReply(provider: SimulatedProvider, { query, grant }: AuthorizedRequest): SimulatedReply {
  const page = Number(query.get("page") ?? 1);
  const size = Number(query.get("per_page") ?? 30);
  if (!(page >= 1 && size >= 1 && size <= 100)) return { status: 400, body: { error: "invalid page" } };
  const plan = provider.person(grant.account);
  const all = listWorkouts(provider, plan);
  const listed = all.slice((page - 1) * size, page * size).map((found) => toWorkout(plan, found));
  const body = {
    workouts: provider.applyDuplicates(listed),
    total: all.length,
    page,
    per_page: size,
    order: "descending",
    sort: "starts",
  };
  return { status: 200, body };
}

function toWorkout(plan: SyntheticPerson, found: DayWithWorkout) {
  return { ...toWorkoutWithoutSummary(plan, found), workout_summary: toWorkoutSummary(plan, found, false) };
}

function toWorkoutWithoutSummary(plan: SyntheticPerson, { day, workout }: DayWithWorkout) {
  const ended = new Date(workout.endMs).toISOString();
  return {
    id: wahooWorkoutId(plan, day),
    starts: new Date(workout.startMs).toISOString(),
    minutes: (workout.endMs - workout.startMs) / 60_000,
    name: workout.sport.name,
    plan_id: null,
    workout_token: `ELEMNT ${day.date}`,
    workout_type_id: workoutTypes[workout.sport.slug],
    created_at: ended,
    updated_at: ended,
  };
}

/** The summary of a workout. Numbers are strings. @param hasWorkout includes the workout, for pushes. */
export function toWorkoutSummary(plan: SyntheticPerson, found: DayWithWorkout, hasWorkout: boolean) {
  const { day, workout } = found;
  const totals = summarizeWorkout(workout);
  const id = wahooWorkoutId(plan, day);
  const ended = new Date(workout.endMs).toISOString();
  const text = (value: number) => value.toFixed(2);
  const isMoving = totals.distanceM > 0;
  const url = `https://${FILES}/${plan.account}/${id}.fit`;
  return {
    id: id + 1,
    ascent_accum: text(isMoving ? totals.elevationGainM : 0),
    cadence_avg: text(workout.sport.cadence),
    calories_accum: text(workout.kcal),
    distance_accum: text(totals.distanceM),
    duration_active_accum: text(totals.seconds),
    duration_paused_accum: text(0),
    duration_total_accum: text(totals.seconds),
    heart_rate_avg: text(totals.averageBpm),
    power_bike_np_last: null,
    power_bike_tss_last: null,
    power_avg: totals.averageWatts === null ? null : text(totals.averageWatts),
    power_bike_avg: totals.averageWatts === null ? null : text(totals.averageWatts),
    speed_avg: text(workout.sport.metresPerSecond),
    work_accum: null,
    time_zone: plan.zone.timeZone,
    manual: false,
    edited: false,
    file: { url },
    created_at: ended,
    updated_at: ended,
    ...(hasWorkout ? { workout: toWorkoutWithoutSummary(plan, found) } : {}),
  };
}
