import {
  type AuthorizedRequest,
  authorizedRoute,
  parseJsonObject,
  publicRoute,
  type Route,
  type SimulatedReply,
} from "../base/simulated-http.ts";
import type { SimulatedProvider } from "../base/simulated-provider.ts";
import { listSyntheticDays, parseDayNumber, selectAvailableData } from "../synthetic-data/available-data.ts";
import type { SyntheticDay } from "../synthetic-data/synthetic-person.ts";
import { listDiaryGroups, type Macros } from "./cronometer-diary.ts";

const API = "cronometer.com/api_v1";

/** Routes of the diary, of the days that have one, and of the withdrawal of access. All are POST with JSON. */
export function cronometerRoutes(provider: SimulatedProvider): Route[] {
  return [
    authorizedRoute("POST", `${API}/diary_summary`, [], (call) => diaryReply(provider, call)),
    authorizedRoute("POST", `${API}/data_summary`, [], (call) => {
      const days = listRequestedDays(provider, call);
      if (!days) return invalidDay;
      return { status: 200, body: { days: days.map(({ date }) => date), signup: "2025-01-01" } };
    }),
    publicRoute("POST", "cronometer.com/oauth/deauthorize", ({ query }) => {
      const account = provider.tokens.findAccount(query.get("access_token") ?? "");
      if (account === undefined) return { status: 400, body: { error: "Invalid access token" } };
      provider.tokens.revoke(account);
      return { status: 200, body: { success: "deauthorized" } };
    }),
  ];
}

const invalidDay: SimulatedReply = { status: 400, body: { error: "Invalid day" } };

/** The days between two dates that have ended; undefined for invalid dates. */
function listRequestedDays(provider: SimulatedProvider, call: AuthorizedRequest): SyntheticDay[] | undefined {
  const { day, start = day, end = day } = parseJsonObject(call);
  const [first, last] = [parseDayNumber(String(start)), parseDayNumber(String(end))];
  if (first === undefined || last === undefined || first > last) return undefined;
  const days = listSyntheticDays(provider.person(call.grant.account), first, last);
  return selectAvailableData(days, provider.now()).over;
}

/** The diary of one day (`day`), or a list of diaries (`start` and `end`). */
function diaryReply(provider: SimulatedProvider, call: AuthorizedRequest): SimulatedReply {
  const { day, food } = parseJsonObject(call);
  const days = listRequestedDays(provider, call);
  if (!days) return invalidDay;
  const diaries = days.map((one) => toDiary(one, food === true));
  if (day === undefined) return { status: 200, body: diaries };
  return { status: 200, body: diaries[0] ?? toEmptyDiary(String(day)) };
}

function toDiary(day: SyntheticDay, hasFoods: boolean) {
  const groups = listDiaryGroups(day);
  const macros = groups.map((group) => group.macros).reduce(addMacros);
  return {
    completed: true,
    day: day.date,
    food_grams: macros.kcal,
    macros,
    nutrients: { Energy: macros.kcal, Protein: macros.protein, Sodium: macros.sodium },
    metrics: [],
    ...(hasFoods ? { foods: groups } : {}),
  };
}

/** A day without entries. */
function toEmptyDiary(day: string) {
  return { completed: false, day, food_grams: 0, macros: {}, nutrients: {}, metrics: [], foods: [] };
}

function addMacros(one: Macros, other: Macros): Macros {
  const sums = Object.entries(one).map(([name, value]) => [name, value + Reflect.get(other, name)] as const);
  return Object.fromEntries(sums) as unknown as Macros;
}
