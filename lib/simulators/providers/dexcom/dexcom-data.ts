import { parseInstant } from "../../../domain/timeseries/instant.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../demo/zone-days.ts";
import { localTime } from "../frame/local-time.ts";
import type { ProviderDesk } from "../frame/provider-desk.ts";
import { type GrantedCall, granted, type Route, type SimulatedReply } from "../frame/simulated-http.ts";
import { stableUuid } from "../frame/stable-uuid.ts";
import { FIRST_DAY, type PersonPlan } from "../plan/person-plan.ts";
import { DELAY_MS, mealOf } from "./dexcom-truth.ts";

const MOST_DAYS = 30;

interface Range {
  readonly plan: PersonPlan;
  readonly fromMs: number;
  /** Excluded. */
  readonly untilMs: number;
}

/** Routes of readings, events and devices, at most 30 days without pagination, and of the data range. */
export function dexcomDataRoutes(desk: ProviderDesk, host: string): Route[] {
  const base = `${host}/v3/users/self`;
  const records = (path: string, recordType: string, make: (range: Range) => readonly object[]) =>
    granted("GET", `${base}/${path}`, [], (call) => {
      const range = rangeOf(desk, call);
      if ("status" in range) return range;
      const { account } = call.grant;
      const head = { recordType, recordVersion: "3.0", userId: stableUuid(`dexcom ${account}`) };
      return { status: 200, body: { ...head, records: desk.listed(make(range)) } };
    });
  return [
    records("egvs", "egv", readings),
    records("events", "event", events),
    records("calibrations", "calibration", () => []),
    records("alerts", "alert", () => []),
    granted("GET", `${base}/devices`, [], ({ grant }) => devices(desk, grant.account)),
    granted("GET", `${base}/dataRange`, [], (call) => dataRange(desk, call)),
  ];
}

/** Parses `startDate` and `endDate`, which are UTC with or without `Z`. */
function rangeOf(desk: ProviderDesk, { query, grant }: GrantedCall): Range | SimulatedReply {
  const from = instantOf(query.get("startDate"));
  const until = instantOf(query.get("endDate"));
  const refused = (message: string): SimulatedReply => ({ status: 400, body: { errors: { dateRange: [message] } } });
  if (from === undefined || until === undefined) return refused("startDate and endDate have to be dates");
  if (until <= from) return refused("endDate has to be after startDate");
  if (until - from > MOST_DAYS * DAY_MS) return refused(`The range is longer than ${MOST_DAYS} days`);
  return { plan: desk.plan(grant.account), fromMs: from, untilMs: Math.min(until, desk.now() - DELAY_MS) };
}

function instantOf(text: string | null): number | undefined {
  return (parseInstant(text) ?? parseInstant(`${text}Z`))?.ms;
}

/** Readings, newest first. */
function readings({ plan, fromMs, untilMs }: Range) {
  const found = plan.days(fromMs, untilMs).flatMap((day) => plan.glucose(day));
  return found
    .filter(({ atMs }) => fromMs <= atMs && atMs < untilMs)
    .reverse()
    .map(({ atMs, value }) => ({
      recordId: stableUuid(`dexcom ${plan.account} ${atMs}`),
      systemTime: `${new Date(atMs).toISOString().slice(0, 19)}Z`,
      displayTime: localTime(atMs, plan.zone.offsetS(atMs)).replace(".000", ""),
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
      const { atMs, grams, units } = mealOf(plan, day);
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
      displayTime: localTime(atMs, plan.zone.offsetS(atMs)).replace(".000", ""),
      eventStatus: "created",
      ...event,
      ...transmitter,
    }));
}

function devices(desk: ProviderDesk, account: string): SimulatedReply {
  const lastUploadDate = new Date(desk.now() - HOUR_MS).toISOString();
  const records = [{ lastUploadDate, ...transmitter, displayDevice: "iOS", displayApp: "G7", alertSchedules: [] }];
  const head = { recordType: "device", recordVersion: "3.0", userId: stableUuid(`dexcom ${account}`) };
  return { status: 200, body: { ...head, records } };
}

/** The first and last time of each data type; with `lastSyncTime` since then. */
function dataRange(desk: ProviderDesk, { query, grant }: GrantedCall): SimulatedReply {
  const { zone } = desk.plan(grant.account);
  const since = query.has("lastSyncTime") ? instantOf(query.get("lastSyncTime")) : FIRST_DAY * DAY_MS;
  if (since === undefined)
    return { status: 400, body: { errors: { lastSyncTime: ["lastSyncTime has to be a date"] } } };
  const moment = (ms: number) => ({
    systemTime: new Date(ms).toISOString().slice(0, 19),
    displayTime: localTime(ms, zone.offsetS(ms)).slice(0, 19),
  });
  const last = Math.floor((desk.now() - DELAY_MS) / (5 * MINUTE_MS)) * 5 * MINUTE_MS;
  const range = { start: moment(Math.min(since, last)), end: moment(last) };
  const body = { recordType: "dataRange", recordVersion: "3.0", userId: stableUuid(`dexcom ${grant.account}`) };
  return { status: 200, body: { ...body, egvs: range, events: range } };
}
