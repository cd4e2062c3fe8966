import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../domain/shared/durations.ts";
import { parseInstant } from "../../../domain/shared/instant.ts";
import { formatLocalTime } from "../base/local-time.ts";
import { type AuthorizedRequest, authorizedRoute, type Route, type SimulatedReply } from "../base/simulated-http.ts";
import type { SimulatedProvider } from "../base/simulated-provider.ts";
import { stableUuid } from "../base/stable-ids.ts";
import { mealOfDay } from "../synthetic-data/synthetic-meal.ts";
import { FIRST_DAY, type SyntheticPerson } from "../synthetic-data/synthetic-person.ts";
import { READING_DELAY_MS } from "./dexcom-expected-records.ts";

const MAX_DAYS = 30;

interface Range {
  readonly plan: SyntheticPerson;
  readonly fromMs: number;
  /** Excluded. */
  readonly untilMs: number;
}

/** Routes of readings, events and devices, at most 30 days without pagination, and of the data range. */
export function dexcomDataRoutes(provider: SimulatedProvider, host: string): Route[] {
  const base = `${host}/v3/users/self`;
  const records = (path: string, recordType: string, make: (range: Range) => readonly object[]) =>
    authorizedRoute("GET", `${base}/${path}`, [], (call) => {
      const range = parseRange(provider, call);
      if ("status" in range) return range;
      const { account } = call.grant;
      const head = { recordType, recordVersion: "3.0", userId: stableUuid(`dexcom ${account}`) };
      return { status: 200, body: { ...head, records: provider.applyDuplicates(make(range)) } };
    });
  return [
    records("egvs", "egv", readings),
    records("events", "event", events),
    records("calibrations", "calibration", () => []),
    records("alerts", "alert", () => []),
    authorizedRoute("GET", `${base}/devices`, [], ({ grant }) => devices(provider, grant.account)),
    authorizedRoute("GET", `${base}/dataRange`, [], (call) => dataRange(provider, call)),
  ];
}

/** Parses `startDate` and `endDate`, which are UTC with or without `Z`. */
function parseRange(provider: SimulatedProvider, { query, grant }: AuthorizedRequest): Range | SimulatedReply {
  const from = parseInstantAsUtc(query.get("startDate"));
  const until = parseInstantAsUtc(query.get("endDate"));
  const refused = (message: string): SimulatedReply => ({ status: 400, body: { errors: { dateRange: [message] } } });
  if (from === undefined || until === undefined) return refused("startDate and endDate have to be dates");
  if (until <= from) return refused("endDate has to be after startDate");
  if (until - from > MAX_DAYS * DAY_MS) return refused(`The range is longer than ${MAX_DAYS} days`);
  return {
    plan: provider.person(grant.account),
    fromMs: from,
    untilMs: Math.min(until, provider.now() - READING_DELAY_MS),
  };
}

function parseInstantAsUtc(text: string | null): number | undefined {
  return (parseInstant(text) ?? parseInstant(`${text}Z`))?.ms;
}

/** Readings, newest first. */
function readings({ plan: person, fromMs, untilMs }: Range) {
  const found = person.days(fromMs, untilMs).flatMap((day) => person.glucose(day));
  return found
    .filter(({ atMs }) => fromMs <= atMs && atMs < untilMs)
    .reverse()
    .map(({ atMs, value }) => ({
      recordId: stableUuid(`dexcom ${person.account} ${atMs}`),
      systemTime: `${new Date(atMs).toISOString().slice(0, 19)}Z`,
      displayTime: formatLocalTime(atMs, person.zone.offsetS(atMs)).replace(".000", ""),
      ...transmitter,
      value,
      trend: "flat",
      trendRate: 0,
      unit: "mg/dL",
      rateUnit: "mg/dL/min",
      displayDevice: "iOS",
      displayApp: "G7",
    }));
}

const transmitter = {
  transmitterId: "9c7bb2d83e6e1a1ad3c3c3de1fdb2ec4eaae3f6b84b5d5b2b6f3f9a4f0e7c1d2",
  transmitterTicks: 1_000,
  transmitterGeneration: "g7",
};

/** Logged events. Values are strings, and times have no `Z`. */
function events({ plan, fromMs, untilMs }: Range) {
  return plan
    .days(fromMs, untilMs)
    .flatMap((day) => {
      const { atMs, grams, units } = mealOfDay(plan, day);
      return [
        { atMs, eventType: "carbs", eventSubType: null, value: String(grams), unit: "grams" },
        {
          atMs: atMs + 5 * MINUTE_MS,
          eventType: "insulin",
          eventSubType: "fastActing",
          value: String(units),
          unit: "units",
        },
      ];
    })
    .filter(({ atMs }) => fromMs <= atMs && atMs < untilMs)
    .map(({ atMs, ...event }) => ({
      recordId: stableUuid(`dexcom ${plan.account} ${event.eventType} ${atMs}`),
      systemTime: new Date(atMs).toISOString().slice(0, 19),
      displayTime: formatLocalTime(atMs, plan.zone.offsetS(atMs)).replace(".000", ""),
      eventStatus: "created",
      ...event,
      ...transmitter,
    }));
}

function devices(provider: SimulatedProvider, account: string): SimulatedReply {
  const lastUploadDate = new Date(provider.now() - HOUR_MS).toISOString();
  const records = [{ lastUploadDate, ...transmitter, displayDevice: "iOS", displayApp: "G7", alertSchedules: [] }];
  const head = { recordType: "device", recordVersion: "3.0", userId: stableUuid(`dexcom ${account}`) };
  return { status: 200, body: { ...head, records } };
}

/** The first and last time of each data type; with `lastSyncTime` since then. */
function dataRange(provider: SimulatedProvider, { query, grant }: AuthorizedRequest): SimulatedReply {
  const { zone } = provider.person(grant.account);
  const since = query.has("lastSyncTime") ? parseInstantAsUtc(query.get("lastSyncTime")) : FIRST_DAY * DAY_MS;
  if (since === undefined)
    return { status: 400, body: { errors: { lastSyncTime: ["lastSyncTime has to be a date"] } } };
  const moment = (ms: number) => ({
    systemTime: new Date(ms).toISOString().slice(0, 19),
    displayTime: formatLocalTime(ms, zone.offsetS(ms)).slice(0, 19),
  });
  const last = Math.floor((provider.now() - READING_DELAY_MS) / (5 * MINUTE_MS)) * 5 * MINUTE_MS;
  const range = { start: moment(Math.min(since, last)), end: moment(last) };
  const body = { recordType: "dataRange", recordVersion: "3.0", userId: stableUuid(`dexcom ${grant.account}`) };
  return { status: 200, body: { ...body, egvs: range, events: range } };
}
