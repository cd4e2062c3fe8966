import { DAY_MS } from "../../../domain/shared/durations.ts";
import {
  type AuthorizedRequest,
  authorizedRoute,
  parseForm,
  type Route,
  type SimulatedReply,
} from "../base/simulated-http.ts";
import type { SimulatedProvider } from "../base/simulated-provider.ts";
import { listSyntheticDays, parseDayNumber, selectAvailableData } from "../synthetic-data/available-data.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";
import {
  toActivityPayload,
  toMeasureGroups,
  toNightSeries,
  toNightSummary,
  toWorkoutPayload,
} from "./withings-payloads.ts";
import { withingsReply } from "./withings-reply.ts";

const API = "wbsapi.withings.net";
const ITEMS_PER_PAGE = 20;

interface ActionRequest {
  readonly provider: SimulatedProvider;
  readonly plan: SyntheticPerson;
  readonly form: URLSearchParams;
  readonly nowMs: number;
}

/** An action of a service: its required scope and its handler. */
interface Action {
  readonly scope: string;
  answer(request: ActionRequest): SimulatedReply;
}

const metricActions: Readonly<Record<string, Action>> = {
  getmeas: { scope: "user.metrics", answer: measuresReply },
};
const activityActions: Readonly<Record<string, Action>> = {
  getactivity: {
    scope: "user.activity",
    answer: (asked) =>
      pageReply(
        asked,
        "activities",
        selectAvailableData(requestedDays(asked), asked.nowMs).over.map(toActivityPayload),
      ),
  },
  getworkouts: {
    scope: "user.activity",
    answer: (asked) => {
      const { workouts } = selectAvailableData(requestedDays(asked), asked.nowMs);
      return pageReply(
        asked,
        "series",
        workouts.map((found) => toWorkoutPayload(asked.plan, found)),
      );
    },
  },
};
const sleepActions: Readonly<Record<string, Action>> = {
  getsummary: {
    scope: "user.activity",
    answer: (asked) => {
      const nights = selectAvailableData(requestedDays(asked), asked.nowMs).nights;
      return pageReply(
        asked,
        "series",
        nights.map((day) => toNightSummary(asked.plan, day)),
      );
    },
  },
  get: { scope: "user.activity", answer: nightDetailsReply },
};

/** Routes of the services; a form field selects the action. */
export function withingsDataRoutes(provider: SimulatedProvider): Route[] {
  const service = (path: string, actions: Readonly<Record<string, Action>>) =>
    authorizedRoute("POST", `${API}${path}`, [], (call) => handleAction(provider, actions, call));
  return [
    service("/measure", metricActions),
    service("/v2/measure", activityActions),
    service("/v2/sleep", sleepActions),
  ];
}

function handleAction(
  provider: SimulatedProvider,
  actions: Readonly<Record<string, Action>>,
  call: AuthorizedRequest,
): SimulatedReply {
  const form = parseForm(call);
  const action = actions[form.get("action") ?? ""];
  if (!action) return withingsReply(2555, "Unknown action");
  if (!call.grant.scopes.includes(action.scope)) return provider.definition.forbidden(call);
  return action.answer({ provider, plan: provider.person(call.grant.account), form, nowMs: provider.now() });
}

/** Days from `startdateymd` to `enddateymd`, or the days completed since `lastupdate`; otherwise empty. */
function requestedDays({ plan: person, form, nowMs }: ActionRequest): SyntheticDay[] {
  const last = form.get("lastupdate");
  if (last !== null) {
    const sinceMs = Number(last) * 1000;
    return person
      .days(sinceMs - DAY_MS, nowMs)
      .filter(({ endMs, sleep: night }) => Math.max(endMs, night.endMs) >= sinceMs);
  }
  const first = parseDayNumber(form.get("startdateymd"));
  const until = parseDayNumber(form.get("enddateymd"));
  return first === undefined || until === undefined ? [] : listSyntheticDays(person, first, until);
}

function pageReply({ provider, form }: ActionRequest, name: string, items: readonly object[]): SimulatedReply {
  const offset = Number(form.get("offset") ?? 0);
  const next = offset + ITEMS_PER_PAGE;
  const more = next < items.length;
  return withingsReply(0, {
    [name]: provider.applyDuplicates(items.slice(offset, next)),
    more,
    offset: more ? next : 0,
  });
}

/** Measure groups, newest first; `more` is a number in this response. */
function measuresReply({ provider, plan, form, nowMs }: ActionRequest): SimulatedReply {
  const wanted = (form.get("meastypes") ?? form.get("meastype") ?? "").split(",").filter((type) => type !== "");
  const since = Number(form.get("lastupdate") ?? form.get("startdate") ?? 0) * 1000;
  const until = form.has("enddate") ? Number(form.get("enddate")) * 1000 : nowMs;
  const groups = toMeasureGroups(plan, plan.days(since, Math.min(until, nowMs)), wanted.map(Number))
    .filter(({ date }) => date * 1000 >= since && date * 1000 <= Math.min(until, nowMs))
    .reverse();
  const offset = Number(form.get("offset") ?? 0);
  const next = offset + ITEMS_PER_PAGE;
  const rest = next < groups.length ? { more: 1, offset: next } : { more: 0, offset: 0 };
  return withingsReply(0, {
    updatetime: Math.floor(nowMs / 1000),
    timezone: plan.zone.timeZone,
    measuregrps: provider.applyDuplicates(groups.slice(offset, next)),
    ...rest,
  });
}

/** Stages of at most 24 hours with their measurements. */
function nightDetailsReply({ provider, plan, form, nowMs }: ActionRequest): SimulatedReply {
  const fromMs = Number(form.get("startdate") ?? Number.NaN) * 1000;
  const untilMs = Number(form.get("enddate") ?? Number.NaN) * 1000;
  if (!(untilMs >= fromMs)) return withingsReply(503, "Invalid Params: startdate and enddate");
  if (untilMs - fromMs > DAY_MS) return withingsReply(503, "Invalid Params: the period is longer than 24 hours");
  const fields = (form.get("data_fields") ?? "").split(",");
  const { nights } = selectAvailableData(plan.days(fromMs, untilMs + DAY_MS), nowMs);
  const series = nights
    .flatMap((day) => toNightSeries(day, fields))
    .filter(({ startdate, enddate }) => startdate * 1000 < untilMs && enddate * 1000 > fromMs);
  return withingsReply(0, { series: provider.applyDuplicates(series), model: 32 });
}
