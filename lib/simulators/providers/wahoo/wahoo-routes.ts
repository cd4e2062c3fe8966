import type { ProviderDesk } from "../frame/provider-desk.ts";
import {
  type Call,
  type GrantedCall,
  granted,
  open,
  type Route,
  type SimulatedReply,
} from "../frame/simulated-http.ts";
import { type DayWithWorkout, knownOf } from "../plan/known-days.ts";
import type { PersonPlan } from "../plan/person-plan.ts";
import { type PlannedWorkout, totalsOf } from "../plan/planned-workout.ts";
import { workoutFile } from "./wahoo-fit.ts";
import { wahooUserId, wahooWorkoutId } from "./wahoo-truth.ts";

const API = "api.wahooligan.com/v1";
const FILES = "cdn.wahooligan.com";
const READ = ["workouts_read"];
const workoutTypes: Readonly<Record<PlannedWorkout["sport"]["slug"], number>> = {
  cycling: 0,
  running: 1,
  walking: 6,
  strength_training: 42,
};

/** Routes of the user, of workouts (newest first) with summaries and files, and of the revocation. */
export function wahooRoutes(desk: ProviderDesk): Route[] {
  const missing: SimulatedReply = { status: 404, body: { error: "not found" } };
  const one =
    (bodyOf: (plan: PersonPlan, found: DayWithWorkout) => object) =>
    (call: GrantedCall): SimulatedReply => {
      const plan = desk.plan(call.grant.account);
      const found = workoutsOf(desk, plan).find(({ day }) => String(wahooWorkoutId(plan, day)) === call.params.id);
      return found ? { status: 200, body: bodyOf(plan, found) } : missing;
    };
  return [
    granted("GET", `${API}/user`, ["user_read"], ({ grant }) => userOf(desk, grant.account)),
    granted("GET", `${API}/workouts`, READ, (call) => workouts(desk, call)),
    granted("GET", `${API}/workouts/{id}`, READ, one(workoutOf)),
    granted(
      "GET",
      `${API}/workouts/{id}/workout_summary`,
      READ,
      one((plan, found) => workoutSummary(plan, found, false)),
    ),
    granted("DELETE", `${API}/permissions`, [], ({ grant }) => {
      desk.tokens.revoke(grant.account);
      return { status: 200, body: { success: "Application permissions were revoked." } };
    }),
    open("GET", `${FILES}/wahoo-cloud/production/uploads/workout_file/file/{account}/{name}`, ({ params }: Call) => {
      const plan = desk.plan(params.account ?? "");
      const found = workoutsOf(desk, plan).find(({ day }) => `${wahooWorkoutId(plan, day)}.fit` === params.name);
      if (!found) return missing;
      return { status: 200, headers: { "content-type": "application/octet-stream" }, body: workoutFile(found.workout) };
    }),
  ];
}

function workoutsOf(desk: ProviderDesk, plan: PersonPlan): DayWithWorkout[] {
  return knownOf(plan.days(0, desk.now()), desk.now()).workouts.reverse();
}

function userOf(desk: ProviderDesk, account: string): SimulatedReply {
  const plan = desk.plan(account);
  const body = {
    id: wahooUserId(account),
    height: (plan.heightCm / 100).toFixed(2),
    weight: (plan.day(plan.zone.dayOf(desk.now())).weightG / 1000).toFixed(1),
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

function workouts(desk: ProviderDesk, { query, grant }: GrantedCall): SimulatedReply {
  const page = Number(query.get("page") ?? 1);
  const size = Number(query.get("per_page") ?? 30);
  if (!(page >= 1 && size >= 1 && size <= 100)) return { status: 400, body: { error: "invalid page" } };
  const plan = desk.plan(grant.account);
  const all = workoutsOf(desk, plan);
  const listed = all.slice((page - 1) * size, page * size).map((found) => workoutOf(plan, found));
  const body = {
    workouts: desk.listed(listed),
    total: all.length,
    page,
    per_page: size,
    order: "descending",
    sort: "starts",
  };
  return { status: 200, body };
}

function workoutOf(plan: PersonPlan, found: DayWithWorkout) {
  return { ...bareWorkout(plan, found), workout_summary: workoutSummary(plan, found, false) };
}

function bareWorkout(plan: PersonPlan, { day, workout }: DayWithWorkout) {
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
export function workoutSummary(plan: PersonPlan, found: DayWithWorkout, hasWorkout: boolean) {
  const { day, workout } = found;
  const totals = totalsOf(workout);
  const id = wahooWorkoutId(plan, day);
  const ended = new Date(workout.endMs).toISOString();
  const text = (value: number) => value.toFixed(2);
  const isMoving = totals.distanceM > 0;
  const url = `https://${FILES}/wahoo-cloud/production/uploads/workout_file/file/${plan.account}/${id}.fit`;
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
    ...(hasWorkout ? { workout: bareWorkout(plan, found) } : {}),
  };
}
