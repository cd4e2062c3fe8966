import { wallTime } from "../frame/local-time.ts";
import type { ProviderDesk } from "../frame/provider-desk.ts";
import { type GrantedCall, granted, type Route, type SimulatedReply } from "../frame/simulated-http.ts";
import { dayNumber, knownOf, plannedDays } from "../plan/known-days.ts";
import type { PersonPlan, PlannedDay } from "../plan/person-plan.ts";
import { type Stage, secondsIn } from "../plan/planned-sleep.ts";
import { fitbitLogId, fitbitUserId } from "./fitbit-truth.ts";

const USER = "api.fitbit.com/1/user/{user}";
const SLEEP = "api.fitbit.com/1.2/user/{user}/sleep/date/{from}/{to}";
const MOST_DAYS_OF_SLEEP = 100;
const MOST_DAYS_OF_WEIGHT = 31;

const levels: Readonly<Record<Stage, string>> = { awake: "wake", light: "light", deep: "deep", rem: "rem" };

/** Routes of the profile, of activity by date, and of sleep and weight logs by date range. Times are local. */
export function fitbitDataRoutes(desk: ProviderDesk): Route[] {
  return [
    granted("GET", `${USER}/profile.json`, ["profile"], ({ grant: { account } }) => {
      const { zone, heightCm, birthYear, sex } = desk.plan(account);
      const offsetFromUTCMillis = 1000 * zone.offsetS(desk.now());
      const person = { dateOfBirth: `${birthYear}-06-15`, gender: sex.toUpperCase(), height: heightCm };
      const user = { encodedId: fitbitUserId(account), timezone: zone.timeZone, offsetFromUTCMillis, ...person };
      return { status: 200, body: { user } };
    }),
    granted("GET", `${USER}/activities/date/{file}`, ["activity"], (call) => activity(desk, call)),
    granted("GET", SLEEP, ["sleep"], (call) => {
      return ranged(desk, call, MOST_DAYS_OF_SLEEP, (plan, days) => ({
        sleep: desk.listed(
          knownOf(days, desk.now())
            .nights.map((day) => nightOf(plan, day))
            .reverse(),
        ),
      }));
    }),
    granted("GET", `${USER}/body/log/weight/date/{from}/{to}`, ["weight"], (call) => {
      return ranged(desk, call, MOST_DAYS_OF_WEIGHT, (plan, days) => ({
        weight: desk.listed(knownOf(days, desk.now()).begun.map((day) => weightOf(plan, day))),
      }));
    }),
  ];
}

function ranged(
  desk: ProviderDesk,
  { params, grant }: GrantedCall,
  most: number,
  bodyOf: (plan: PersonPlan, days: PlannedDay[]) => object,
): SimulatedReply {
  const from = dayNumber(params.from ?? "");
  const to = dayNumber(params.to?.replace(".json", "") ?? "");
  const refused = (message: string): SimulatedReply => {
    return { status: 400, body: { success: false, errors: [{ errorType: "validation", message }] } };
  };
  if (from === undefined || to === undefined || from > to) return refused("Invalid dates.");
  if (to - from + 1 > most) return refused(`The range is longer than ${most} days.`);
  const plan = desk.plan(grant.account);
  return { status: 200, body: bodyOf(plan, plannedDays(plan, from, to)) };
}

/** Distances in km. */
function activity(desk: ProviderDesk, { params, grant }: GrantedCall): SimulatedReply {
  const number = dayNumber(params.file?.replace(".json", "") ?? "");
  if (number === undefined) return { status: 400, body: { success: false, errors: [{ errorType: "validation" }] } };
  const plan = desk.plan(grant.account);
  const [day] = knownOf([plan.day(number)], desk.now()).over;
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

function nightOf(plan: PersonPlan, day: PlannedDay) {
  const { sleep } = day;
  const wall = (ms: number) => wallTime(ms, plan.zone.offsetS(ms));
  const minutes = (stage: Stage) => secondsIn(sleep, stage) / 60;
  const inBed = (sleep.endMs - sleep.startMs) / 60_000;
  const count = (stage: Stage) => sleep.stages.filter((one) => one.stage === stage).length;
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

function weightOf(plan: PersonPlan, day: PlannedDay) {
  const weight = day.weightG / 1000;
  return {
    bmi: Math.round((weight / (plan.heightCm / 100) ** 2) * 100) / 100,
    date: day.date,
    fat: day.fatPercent,
    logId: plan.zone.instant(day.day, 450),
    source: "Aria",
    time: "07:30:00",
    weight,
  };
}
