import { localTime, wallTime } from "../frame/local-time.ts";
import type { ProviderDesk } from "../frame/provider-desk.ts";
import { type GrantedCall, granted, type Route, type SimulatedReply } from "../frame/simulated-http.ts";
import { dayNumber, knownOf, plannedDays } from "../plan/known-days.ts";
import type { PersonPlan, PlannedDay } from "../plan/person-plan.ts";
import { GRID_MS, meanOfNight, type PlannedSleep, type Stage, secondsIn } from "../plan/planned-sleep.ts";
import { polarUserId } from "./polar-truth.ts";
import { registeredAt } from "./polar-users.ts";

const BASE = "www.polaraccesslink.com/v3/users";
const MOST_DAYS = 28;

/** Polar's stage codes: 0 awake, 1 REM, 2 and 3 light, 4 deep. */
const stageCodes: Readonly<Record<Stage, number>> = { awake: 0, rem: 1, light: 3, deep: 4 };

type Make = (plan: PersonPlan, day: PlannedDay) => object;

/** Routes of daily data: a single date, or at most 28 days. Requires a registered user. */
export function polarDataRoutes(desk: ProviderDesk): Route[] {
  const nights = (days: readonly PlannedDay[]) => knownOf(days, desk.now()).nights;
  const over = (days: readonly PlannedDay[]) => knownOf(days, desk.now()).over;
  return [
    ...byDay(desk, "activities", undefined, over, activityOf),
    ...byDay(desk, "sleep", "nights", nights, nightOf),
    ...byDay(desk, "nightly-recharge", "recharges", nights, rechargeOf),
    ...byDay(
      desk,
      "continuous-heart-rate",
      "heart_rates",
      (days) => days.filter(({ startMs }) => startMs <= desk.now()),
      (plan, day) => heartRateOf(plan, day, desk.now()),
    ),
  ];
}

function byDay(
  desk: ProviderDesk,
  path: string,
  listName: string | undefined,
  known: (days: readonly PlannedDay[]) => readonly PlannedDay[],
  make: Make,
): Route[] {
  const list = ({ query, grant }: GrantedCall): SimulatedReply => {
    const plan = desk.plan(grant.account);
    const today = plan.zone.dayOf(desk.now());
    const to = query.has("to") ? dayNumber(query.get("to")) : today;
    const from = query.has("from") ? dayNumber(query.get("from")) : (to ?? today) - MOST_DAYS + 1;
    if (registeredAt(desk, grant.account) === undefined) return { status: 403, body: { error: "not registered" } };
    if (from === undefined || to === undefined || from > to) return { status: 400, body: { error: "invalid range" } };
    if (to - from + 1 > MOST_DAYS) return { status: 400, body: { error: `more than ${MOST_DAYS} days` } };
    const made = desk.listed(known(plannedDays(plan, from, to)).map((day) => make(plan, day)));
    return { status: 200, body: listName === undefined ? made : { [listName]: made } };
  };
  const one = ({ params, grant }: GrantedCall): SimulatedReply => {
    const plan = desk.plan(grant.account);
    const number = dayNumber(params.date ?? "");
    if (registeredAt(desk, grant.account) === undefined) return { status: 403, body: { error: "not registered" } };
    if (number === undefined) return { status: 400, body: { error: "invalid date" } };
    const [day] = known([plan.day(number)]);
    return day ? { status: 200, body: make(plan, day) } : { status: 204 };
  };
  return [granted("GET", `${BASE}/${path}`, [], list), granted("GET", `${BASE}/${path}/{date}`, [], one)];
}

/** Maps the activity of a day. Durations are ISO 8601. */
function activityOf(_: PersonPlan, day: PlannedDay) {
  const active = day.lowMinutes + day.mediumMinutes + day.highMinutes;
  return {
    start_time: wallTime(day.startMs, day.offsetS).slice(0, 19),
    end_time: wallTime(day.endMs - 1000, day.offsetS).slice(0, 19),
    active_duration: `PT${Math.floor(active / 60)}H${active % 60}M`,
    inactive_duration: "PT6H",
    daily_activity: 95.5,
    calories: day.activeKcal + day.basalKcal,
    active_calories: day.activeKcal,
    steps: day.steps,
    inactivity_alert_count: 1,
    distance_from_steps: day.distanceM,
  };
}

function clockText(plan: PersonPlan, ms: number): string {
  return wallTime(ms, plan.zone.offsetS(ms)).slice(11, 16);
}

function nightOf(plan: PersonPlan, { date, sleep }: PlannedDay) {
  const { startMs, endMs, offsetS } = sleep;
  return {
    polar_user: `https://www.polaraccesslink.com/v3/users/${polarUserId(plan.account)}`,
    date,
    sleep_start_time: localTime(startMs, plan.zone.offsetS(startMs)).replace(".000", ""),
    sleep_end_time: localTime(endMs, offsetS).replace(".000", ""),
    device_id: "1111AAAA",
    continuity: 3.2,
    continuity_class: 3,
    light_sleep: secondsIn(sleep, "light"),
    deep_sleep: secondsIn(sleep, "deep"),
    rem_sleep: secondsIn(sleep, "rem"),
    unrecognized_sleep_stage: 0,
    sleep_score: sleep.score,
    total_interruption_duration: secondsIn(sleep, "awake"),
    sleep_charge: 3,
    sleep_goal: 28_800,
    sleep_rating: 3,
    short_interruption_duration: 0,
    long_interruption_duration: secondsIn(sleep, "awake"),
    sleep_cycles: 4,
    hypnogram: Object.fromEntries(
      sleep.stages.map(({ stage, startMs: atMs }) => [clockText(plan, atMs), stageCodes[stage]]),
    ),
    heart_rate_samples: byClock(plan, sleep, sleep.bpm),
  };
}

function byClock(plan: PersonPlan, { startMs }: PlannedSleep, values: readonly number[]) {
  return Object.fromEntries(values.map((value, step) => [clockText(plan, startMs + step * GRID_MS), value]));
}

function rechargeOf(plan: PersonPlan, { date, sleep }: PlannedDay) {
  return {
    polar_user: `https://www.polaraccesslink.com/v3/users/${polarUserId(plan.account)}`,
    date,
    heart_rate_avg: meanOfNight(sleep.bpm),
    beat_to_beat_avg: Math.round(60_000 / meanOfNight(sleep.bpm)),
    heart_rate_variability_avg: meanOfNight(sleep.hrvMs),
    breathing_rate_avg: sleep.breathsPerMinute,
    nightly_recharge_status: 4,
    ans_charge: 2.5,
    ans_charge_status: 4,
    hrv_samples: byClock(plan, sleep, sleep.hrvMs),
    breathing_samples: {},
  };
}

function heartRateOf(plan: PersonPlan, day: PlannedDay, nowMs: number) {
  const beats = plan.heartRate(day).filter(({ atMs }) => atMs <= nowMs);
  return {
    polar_user: `https://www.polaraccesslink.com/v3/users/${polarUserId(plan.account)}`,
    date: day.date,
    heart_rate_samples: beats.map(({ atMs, value }) => ({
      heart_rate: value,
      sample_time: wallTime(atMs, plan.zone.offsetS(atMs)).slice(11, 19),
    })),
  };
}
