import { formatLocalTime, formatWallTime } from "../base/local-time.ts";
import { type AuthorizedRequest, authorizedRoute, type Route, type SimulatedReply } from "../base/simulated-http.ts";
import type { SimulatedProvider } from "../base/simulated-provider.ts";
import { listSyntheticDays, parseDayNumber, selectAvailableData } from "../synthetic-data/available-data.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";
import {
  roundedMean,
  SAMPLE_INTERVAL_MS,
  type SleepStage,
  type SyntheticSleep,
  secondsInStage,
} from "../synthetic-data/synthetic-sleep.ts";
import { polarUserId } from "./polar-expected-records.ts";
import { registeredAt } from "./polar-users.ts";

const BASE = "www.polaraccesslink.com/v3/users";
const MAX_DAYS = 28;

/** Polar's stage codes: 0 awake, 1 REM, 2 and 3 light, 4 deep. */
const stageCodes: Readonly<Record<SleepStage, number>> = { awake: 0, rem: 1, light: 3, deep: 4 };

type PayloadBuilder = (person: SyntheticPerson, day: SyntheticDay) => object;

/** Routes of daily data: a single date, or at most 28 days. Requires a registered user. */
export function polarDataRoutes(provider: SimulatedProvider): Route[] {
  const nights = (days: readonly SyntheticDay[]) => selectAvailableData(days, provider.now()).nights;
  const over = (days: readonly SyntheticDay[]) => selectAvailableData(days, provider.now()).over;
  return [
    ...dayRoutes(provider, "activities", undefined, over, toActivity),
    ...dayRoutes(provider, "sleep", "nights", nights, toNight),
    ...dayRoutes(provider, "nightly-recharge", "recharges", nights, toRecharge),
    ...dayRoutes(
      provider,
      "continuous-heart-rate",
      "heart_rates",
      (days) => days.filter(({ startMs }) => startMs <= provider.now()),
      (plan, day) => toHeartRate(plan, day, provider.now()),
    ),
  ];
}

function dayRoutes(
  provider: SimulatedProvider,
  path: string,
  listName: string | undefined,
  known: (days: readonly SyntheticDay[]) => readonly SyntheticDay[],
  make: PayloadBuilder,
): Route[] {
  const list = ({ query, grant }: AuthorizedRequest): SimulatedReply => {
    const plan = provider.person(grant.account);
    const today = plan.zone.dayAt(provider.now());
    const to = query.has("to") ? parseDayNumber(query.get("to")) : today;
    const from = query.has("from") ? parseDayNumber(query.get("from")) : (to ?? today) - MAX_DAYS + 1;
    if (registeredAt(provider, grant.account) === undefined) return { status: 403, body: { error: "not registered" } };
    if (from === undefined || to === undefined || from > to) return { status: 400, body: { error: "invalid range" } };
    if (to - from + 1 > MAX_DAYS) return { status: 400, body: { error: `more than ${MAX_DAYS} days` } };
    const made = provider.applyDuplicates(known(listSyntheticDays(plan, from, to)).map((day) => make(plan, day)));
    return { status: 200, body: listName === undefined ? made : { [listName]: made } };
  };
  const one = ({ params, grant }: AuthorizedRequest): SimulatedReply => {
    const plan = provider.person(grant.account);
    const number = parseDayNumber(params.date ?? "");
    if (registeredAt(provider, grant.account) === undefined) return { status: 403, body: { error: "not registered" } };
    if (number === undefined) return { status: 400, body: { error: "invalid date" } };
    const [day] = known([plan.day(number)]);
    return day ? { status: 200, body: make(plan, day) } : { status: 204 };
  };
  return [
    authorizedRoute("GET", `${BASE}/${path}`, [], list),
    authorizedRoute("GET", `${BASE}/${path}/{date}`, [], one),
  ];
}

/** Maps the activity of a day. Durations are ISO 8601. */
function toActivity(_: SyntheticPerson, day: SyntheticDay) {
  const active = day.lowMinutes + day.mediumMinutes + day.highMinutes;
  return {
    start_time: formatWallTime(day.startMs, day.offsetS).slice(0, 19),
    end_time: formatWallTime(day.endMs - 1000, day.offsetS).slice(0, 19),
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

function formatClockTime(plan: SyntheticPerson, ms: number): string {
  return formatWallTime(ms, plan.zone.offsetS(ms)).slice(11, 16);
}

function toNight(plan: SyntheticPerson, { date, sleep }: SyntheticDay) {
  const { startMs, endMs, offsetS } = sleep;
  return {
    polar_user: `https://www.polaraccesslink.com/v3/users/${polarUserId(plan.account)}`,
    date,
    sleep_start_time: formatLocalTime(startMs, plan.zone.offsetS(startMs)).replace(".000", ""),
    sleep_end_time: formatLocalTime(endMs, offsetS).replace(".000", ""),
    device_id: "1111AAAA",
    continuity: 3.2,
    continuity_class: 3,
    light_sleep: secondsInStage(sleep, "light"),
    deep_sleep: secondsInStage(sleep, "deep"),
    rem_sleep: secondsInStage(sleep, "rem"),
    unrecognized_sleep_stage: 0,
    sleep_score: sleep.score,
    total_interruption_duration: secondsInStage(sleep, "awake"),
    sleep_charge: 3,
    sleep_goal: 28_800,
    sleep_rating: 3,
    short_interruption_duration: 0,
    long_interruption_duration: secondsInStage(sleep, "awake"),
    sleep_cycles: 4,
    hypnogram: Object.fromEntries(
      sleep.stages.map(({ stage, startMs: atMs }) => [formatClockTime(plan, atMs), stageCodes[stage]]),
    ),
    heart_rate_samples: valuesByClockTime(plan, sleep, sleep.bpm),
  };
}

function valuesByClockTime(plan: SyntheticPerson, { startMs }: SyntheticSleep, values: readonly number[]) {
  return Object.fromEntries(
    values.map((value, step) => [formatClockTime(plan, startMs + step * SAMPLE_INTERVAL_MS), value]),
  );
}

function toRecharge(plan: SyntheticPerson, { date, sleep }: SyntheticDay) {
  return {
    polar_user: `https://www.polaraccesslink.com/v3/users/${polarUserId(plan.account)}`,
    date,
    heart_rate_avg: roundedMean(sleep.bpm),
    beat_to_beat_avg: Math.round(60_000 / roundedMean(sleep.bpm)),
    heart_rate_variability_avg: roundedMean(sleep.hrvMs),
    breathing_rate_avg: sleep.breathsPerMinute,
    nightly_recharge_status: 4,
    ans_charge: 2.5,
    ans_charge_status: 4,
    hrv_samples: valuesByClockTime(plan, sleep, sleep.hrvMs),
    breathing_samples: {},
  };
}

function toHeartRate(plan: SyntheticPerson, day: SyntheticDay, nowMs: number) {
  const beats = plan.heartRate(day).filter(({ atMs }) => atMs <= nowMs);
  return {
    polar_user: `https://www.polaraccesslink.com/v3/users/${polarUserId(plan.account)}`,
    date: day.date,
    heart_rate_samples: beats.map(({ atMs, value }) => ({
      heart_rate: value,
      sample_time: formatWallTime(atMs, plan.zone.offsetS(atMs)).slice(11, 19),
    })),
  };
}
