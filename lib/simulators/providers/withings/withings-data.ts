import { DAY_MS } from "../../demo/zone-days.ts";
import type { ProviderDesk } from "../frame/provider-desk.ts";
import { formOf, type GrantedCall, granted, type Route, type SimulatedReply } from "../frame/simulated-http.ts";
import { dayNumber, knownOf, plannedDays } from "../plan/known-days.ts";
import type { PersonPlan, PlannedDay } from "../plan/person-plan.ts";
import { activityOf, measureGroups, nightSeries, nightSummary, workoutOf } from "./withings-payloads.ts";
import { withingsReply } from "./withings-reply.ts";

const API = "wbsapi.withings.net";
const ITEMS_OF_A_PAGE = 20;

interface Asked {
  readonly desk: ProviderDesk;
  readonly plan: PersonPlan;
  readonly form: URLSearchParams;
  readonly nowMs: number;
}

/** An action of a service: its required scope and its handler. */
interface Action {
  readonly scope: string;
  answer(asked: Asked): SimulatedReply;
}

const metrics: Readonly<Record<string, Action>> = {
  getmeas: { scope: "user.metrics", answer: measures },
};
const activity: Readonly<Record<string, Action>> = {
  getactivity: {
    scope: "user.activity",
    answer: (asked) => listedDays(asked, "activities", knownOf(daysOf(asked), asked.nowMs).over.map(activityOf)),
  },
  getworkouts: {
    scope: "user.activity",
    answer: (asked) => {
      const { workouts } = knownOf(daysOf(asked), asked.nowMs);
      return listedDays(
        asked,
        "series",
        workouts.map((found) => workoutOf(asked.plan, found)),
      );
    },
  },
};
const sleep: Readonly<Record<string, Action>> = {
  getsummary: {
    scope: "user.activity",
    answer: (asked) => {
      const nights = knownOf(daysOf(asked), asked.nowMs).nights;
      return listedDays(
        asked,
        "series",
        nights.map((day) => nightSummary(asked.plan, day)),
      );
    },
  },
  get: { scope: "user.activity", answer: nightDetails },
};

/** Routes of the services; a form field selects the action. */
export function withingsDataRoutes(desk: ProviderDesk): Route[] {
  const service = (path: string, actions: Readonly<Record<string, Action>>) =>
    granted("POST", `${API}${path}`, [], (call) => act(desk, actions, call));
  return [service("/measure", metrics), service("/v2/measure", activity), service("/v2/sleep", sleep)];
}

function act(desk: ProviderDesk, actions: Readonly<Record<string, Action>>, call: GrantedCall): SimulatedReply {
  const form = formOf(call);
  const action = actions[form.get("action") ?? ""];
  if (!action) return withingsReply(2555, "Unknown action");
  if (!call.grant.scopes.includes(action.scope)) return desk.rules.forbidden(call);
  return action.answer({ desk, plan: desk.plan(call.grant.account), form, nowMs: desk.now() });
}

/** Days from `startdateymd` to `enddateymd`, or the days completed since `lastupdate`; otherwise empty. */
function daysOf({ plan, form, nowMs }: Asked): PlannedDay[] {
  const last = form.get("lastupdate");
  if (last !== null) {
    const sinceMs = Number(last) * 1000;
    return plan
      .days(sinceMs - DAY_MS, nowMs)
      .filter(({ endMs, sleep: night }) => Math.max(endMs, night.endMs) >= sinceMs);
  }
  const first = dayNumber(form.get("startdateymd"));
  const until = dayNumber(form.get("enddateymd"));
  return first === undefined || until === undefined ? [] : plannedDays(plan, first, until);
}

function listedDays({ desk, form }: Asked, name: string, items: readonly object[]): SimulatedReply {
  const offset = Number(form.get("offset") ?? 0);
  const next = offset + ITEMS_OF_A_PAGE;
  const more = next < items.length;
  return withingsReply(0, { [name]: desk.listed(items.slice(offset, next)), more, offset: more ? next : 0 });
}

/** Measure groups, newest first; `more` is a number in this response. */
function measures({ desk, plan, form, nowMs }: Asked): SimulatedReply {
  const wanted = (form.get("meastypes") ?? form.get("meastype") ?? "").split(",").filter((type) => type !== "");
  const since = Number(form.get("lastupdate") ?? form.get("startdate") ?? 0) * 1000;
  const until = form.has("enddate") ? Number(form.get("enddate")) * 1000 : nowMs;
  const groups = measureGroups(plan, plan.days(since, Math.min(until, nowMs)), wanted.map(Number))
    .filter(({ date }) => date * 1000 >= since && date * 1000 <= Math.min(until, nowMs))
    .reverse();
  const offset = Number(form.get("offset") ?? 0);
  const next = offset + ITEMS_OF_A_PAGE;
  const rest = next < groups.length ? { more: 1, offset: next } : { more: 0, offset: 0 };
  return withingsReply(0, {
    updatetime: Math.floor(nowMs / 1000),
    timezone: plan.zone.timeZone,
    measuregrps: desk.listed(groups.slice(offset, next)),
    ...rest,
  });
}

/** Stages of at most 24 hours with their measurements. */
function nightDetails({ desk, plan, form, nowMs }: Asked): SimulatedReply {
  const fromMs = Number(form.get("startdate") ?? Number.NaN) * 1000;
  const untilMs = Number(form.get("enddate") ?? Number.NaN) * 1000;
  if (!(untilMs >= fromMs)) return withingsReply(503, "Invalid Params: startdate and enddate");
  if (untilMs - fromMs > DAY_MS) return withingsReply(503, "Invalid Params: the period is longer than 24 hours");
  const fields = (form.get("data_fields") ?? "").split(",");
  const { nights } = knownOf(plan.days(fromMs, untilMs + DAY_MS), nowMs);
  const series = nights
    .flatMap((day) => nightSeries(day, fields))
    .filter(({ startdate, enddate }) => startdate * 1000 < untilMs && enddate * 1000 > fromMs);
  return withingsReply(0, { series: desk.listed(series), model: 32 });
}
