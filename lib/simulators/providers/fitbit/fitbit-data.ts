import { formatWallTime } from "../base/local-time.ts";
import { type AuthorizedRequest, authorizedRoute, type Route, type SimulatedReply } from "../base/simulated-http.ts";
import type { SimulatedProvider } from "../base/simulated-provider.ts";
import { listSyntheticDays, parseDayNumber, selectAvailableData } from "../synthetic-data/available-data.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";
import { type SleepStage, secondsInStage } from "../synthetic-data/synthetic-sleep.ts";
import { fitbitLogId, fitbitUserId } from "./fitbit-expected-records.ts";

const USER = "api.fitbit.com/1/user/{user}";
const SLEEP = "api.fitbit.com/1.2/user/{user}/sleep/date/{from}/{to}";
const MAX_SLEEP_DAYS = 100;
const MAX_WEIGHT_DAYS = 31;

const levels: Readonly<Record<SleepStage, string>> = { awake: "wake", light: "light", deep: "deep", rem: "rem" };

/** Routes of the profile, of activity by date, and of sleep and weight logs by date range. Times are local. */
export function fitbitDataRoutes(provider: SimulatedProvider): Route[] {
  return [
    authorizedRoute("GET", `${USER}/profile.json`, ["profile"], ({ grant: { account } }) => {
      const { zone, heightCm, birthYear, sex } = provider.person(account);
      const offsetFromUTCMillis = 1000 * zone.offsetS(provider.now());
      const profileFields = { dateOfBirth: `${birthYear}-06-15`, gender: sex.toUpperCase(), height: heightCm };
      const user = { encodedId: fitbitUserId(account), timezone: zone.timeZone, offsetFromUTCMillis, ...profileFields };
      return { status: 200, body: { user } };
    }),
    authorizedRoute("GET", `${USER}/activities/date/{file}`, ["activity"], (call) => activityReply(provider, call)),
    authorizedRoute("GET", SLEEP, ["sleep"], (call) => {
      return replyForRange(provider, call, MAX_SLEEP_DAYS, (person, days) => ({
        sleep: provider.applyDuplicates(
          selectAvailableData(days, provider.now())
            .nights.map((day) => toNight(person, day))
            .reverse(),
        ),
      }));
    }),
    authorizedRoute("GET", `${USER}/body/log/weight/date/{from}/{to}`, ["weight"], (call) => {
      return replyForRange(provider, call, MAX_WEIGHT_DAYS, (plan, days) => ({
        weight: provider.applyDuplicates(
          selectAvailableData(days, provider.now()).begun.map((day) => toWeight(plan, day)),
        ),
      }));
    }),
  ];
}

function replyForRange(
  provider: SimulatedProvider,
  { params, grant }: AuthorizedRequest,
  most: number,
  bodyOf: (plan: SyntheticPerson, days: SyntheticDay[]) => object,
): SimulatedReply {
  const from = parseDayNumber(params.from ?? "");
  const to = parseDayNumber(params.to?.replace(".json", "") ?? "");
  const refused = (message: string): SimulatedReply => {
    return { status: 400, body: { success: false, errors: [{ errorType: "validation", message }] } };
  };
  if (from === undefined || to === undefined || from > to) return refused("Invalid dates.");
  if (to - from + 1 > most) return refused(`The range is longer than ${most} days.`);
  const plan = provider.person(grant.account);
  return { status: 200, body: bodyOf(plan, listSyntheticDays(plan, from, to)) };
}

/** Distances in km. */
function activityReply(provider: SimulatedProvider, { params, grant }: AuthorizedRequest): SimulatedReply {
  const number = parseDayNumber(params.file?.replace(".json", "") ?? "");
  if (number === undefined) return { status: 400, body: { success: false, errors: [{ errorType: "validation" }] } };
  const plan = provider.person(grant.account);
  const [day] = selectAvailableData([plan.day(number)], provider.now()).over;
  const summary = {
    steps: day?.steps ?? 0,
    caloriesOut: day ? day.activeKcal + day.basalKcal : 0,
    activityCalories: day?.activeKcal ?? 0,
    caloriesBMR: day?.basalKcal ?? 0,
    floors: day?.floors ?? 0,
    lightlyActiveMinutes: day?.lowMinutes ?? 0,
    fairlyActiveMinutes: day?.mediumMinutes ?? 0,
    veryActiveMinutes: day?.highMinutes ?? 0,
    ...(day ? { restingHeartRate: day.restingBpm } : {}),
    distances: [{ activity: "total", distance: (day?.distanceM ?? 0) / 1000 }],
  };
  return { status: 200, body: { activities: [], goals: {}, summary } };
}

function toNight(plan: SyntheticPerson, day: SyntheticDay) {
  const { sleep } = day;
  const wall = (ms: number) => formatWallTime(ms, plan.zone.offsetS(ms));
  const minutes = (stage: SleepStage) => secondsInStage(sleep, stage) / 60;
  const inBed = (sleep.endMs - sleep.startMs) / 60_000;
  const count = (stage: SleepStage) => sleep.stages.filter((one) => one.stage === stage).length;
  const stages = ["awake", "light", "deep", "rem"] as const;
  return {
    logId: fitbitLogId(plan, day),
    dateOfSleep: day.date,
    startTime: wall(sleep.startMs),
    endTime: wall(sleep.endMs),
    duration: sleep.endMs - sleep.startMs,
    efficiency: Math.round((100 * (inBed - minutes("awake"))) / inBed),
    infoCode: 0,
    isMainSleep: true,
    logType: "auto_detected",
    minutesAfterWakeup: 0,
    minutesAsleep: inBed - minutes("awake"),
    minutesAwake: minutes("awake"),
    minutesToFallAsleep: sleep.latencyS / 60,
    timeInBed: inBed,
    type: "stages",
    levels: {
      data: sleep.stages.map(({ stage, startMs, endMs }) => ({
        dateTime: wall(startMs),
        level: levels[stage],
        seconds: (endMs - startMs) / 1000,
      })),
      shortData: [],
      summary: Object.fromEntries(
        stages.map((stage) => [
          levels[stage],
          { count: count(stage), minutes: minutes(stage), thirtyDayAvgMinutes: 0 },
        ]),
      ),
    },
  };
}

function toWeight(plan: SyntheticPerson, day: SyntheticDay) {
  const weight = day.weightG / 1000;
  return {
    bmi: Math.round((weight / (plan.heightCm / 100) ** 2) * 100) / 100,
    date: day.date,
    fat: day.fatPercent,
    logId: plan.zone.instantAt(day.day, 450),
    source: "Aria",
    time: "07:30:00",
    weight,
  };
}
