import { parseInstant } from "../../../domain/timeseries/instant.ts";
import { DAY_MS } from "../../demo/zone-days.ts";
import type { ProviderDesk } from "../frame/provider-desk.ts";
import {
  type Call,
  type GrantedCall,
  granted,
  open,
  type Route,
  type SimulatedReply,
} from "../frame/simulated-http.ts";
import { dayNumber, plannedDays } from "../plan/known-days.ts";
import { ouraCollections, ouraUserId } from "./oura-documents.ts";

const API = "api.ouraring.com";
const DOCUMENTS_OF_A_PAGE = 10;
const BEATS_OF_A_PAGE = 1_000;
const MOST_DAYS_OF_BEATS = 30;

/** Routes of personal info, of the collections by date, and of heart rate by time. */
export function ouraDataRoutes(desk: ProviderDesk): Route[] {
  const collections = Object.entries(ouraCollections).flatMap(([name, { scope }]) => [
    granted("GET", `${API}/v2/usercollection/${name}`, [scope], (call) => documents(desk, name, call)),
    granted("GET", `${API}/v2/usercollection/${name}/{id}`, [scope], (call) => oneDocument(desk, name, call)),
  ]);
  return [
    granted("GET", `${API}/v2/usercollection/personal_info`, ["personal", "email"], (call) => personal(desk, call)),
    granted("GET", `${API}/v2/usercollection/heartrate`, ["heartrate"], (call) => heartRate(desk, call)),
    ...collections,
  ];
}

/** Routes that revoke a token, sent as query parameter. */
export function revokeRoutes(desk: ProviderDesk): Route[] {
  const revoke = ({ query }: Call): SimulatedReply => {
    const account = desk.tokens.accountOf(query.get("access_token") ?? "");
    if (account !== undefined) desk.tokens.revoke(account);
    return { status: 200, body: {} };
  };
  return [open("POST", `${API}/oauth/revoke`, revoke), open("GET", `${API}/oauth/revoke`, revoke)];
}

function personal(desk: ProviderDesk, { grant }: GrantedCall): SimulatedReply {
  const plan = desk.plan(grant.account);
  const { birthYear, heightCm, sex } = plan;
  const today = plan.day(plan.zone.dayOf(desk.now()));
  const isPersonal = grant.scopes.includes("personal");
  const measures = isPersonal
    ? {
        age: new Date(desk.now()).getUTCFullYear() - birthYear,
        weight: today.weightG / 1000,
        height: heightCm / 100,
        biological_sex: sex,
      }
    : {};
  const email = grant.scopes.includes("email") ? `${grant.account}@example.com` : null;
  return { status: 200, body: { id: ouraUserId(grant.account), ...measures, email } };
}

/** Lists documents from `start_date` to `end_date`, both included; default: yesterday and today in UTC. */
function documents(desk: ProviderDesk, name: string, { query, grant }: GrantedCall): SimulatedReply {
  const today = Math.floor(desk.now() / DAY_MS);
  const end = query.has("end_date") ? dayNumber(query.get("end_date")) : today;
  const start = query.has("start_date") ? dayNumber(query.get("start_date")) : (end ?? today) - 1;
  if (start === undefined) return invalid("start_date", "invalid date");
  if (end === undefined) return invalid("end_date", "invalid date");
  if (start > end) return { status: 400, body: { detail: "start_date is after end_date" } };
  const plan = desk.plan(grant.account);
  const found = plannedDays(plan, start, end).flatMap((day) => {
    return ouraCollections[name]!.documentsOf(plan, day, desk.now());
  });
  return page(desk, found, query.get("next_token"), DOCUMENTS_OF_A_PAGE);
}

function oneDocument(desk: ProviderDesk, name: string, { params, grant }: GrantedCall): SimulatedReply {
  const plan = desk.plan(grant.account);
  const days = plannedDays(plan, 0, Math.floor(desk.now() / DAY_MS) + 1);
  const all = days.flatMap((day) => ouraCollections[name]!.documentsOf(plan, day, desk.now()));
  const found = all.find(({ id }) => id === params.id);
  return found ? { status: 200, body: found } : { status: 404, body: { detail: "Document not found." } };
}

/** Lists heart rates from `start_datetime` (included) to `end_datetime` (excluded); default: the last 24 hours. */
function heartRate(desk: ProviderDesk, { query, grant }: GrantedCall): SimulatedReply {
  const end = instantOf(query.get("end_datetime"), desk.now());
  const start = instantOf(query.get("start_datetime"), (end ?? 0) - DAY_MS);
  if (start === undefined) return invalid("start_datetime", "invalid datetime");
  if (end === undefined) return invalid("end_datetime", "invalid datetime");
  if (start > end) return { status: 400, body: { detail: "start_datetime is after end_datetime" } };
  if (end - start > MOST_DAYS_OF_BEATS * DAY_MS) {
    return { status: 400, body: { detail: `The range is longer than ${MOST_DAYS_OF_BEATS} days.` } };
  }
  const plan = desk.plan(grant.account);
  const beats = plan.days(start, end).flatMap((day) => {
    const isAsleep = (atMs: number) => day.sleep.startMs <= atMs && atMs < day.sleep.endMs;
    return plan
      .heartRate(day)
      .filter(({ atMs }) => start <= atMs && atMs < end && atMs <= desk.now())
      .map(({ atMs, value }) => ({
        bpm: value,
        source: isAsleep(atMs) ? "sleep" : "awake",
        timestamp: new Date(atMs).toISOString(),
      }));
  });
  return page(desk, beats, query.get("next_token"), BEATS_OF_A_PAGE);
}

function page(desk: ProviderDesk, all: readonly object[], token: string | null, size: number): SimulatedReply {
  const offset = token === null ? 0 : Number(Buffer.from(token, "base64url").toString("utf8"));
  if (!Number.isInteger(offset) || offset < 0) return { status: 400, body: { detail: "Invalid next_token." } };
  const next = offset + size;
  const next_token = next < all.length ? Buffer.from(String(next)).toString("base64url") : null;
  return { status: 200, body: { data: desk.listed(all.slice(offset, next)), next_token } };
}

/** Parses a time to epoch ms; without an offset it counts as UTC. */
function instantOf(text: string | null, fallback: number): number | undefined {
  if (text === null) return fallback;
  return (parseInstant(text) ?? parseInstant(`${text}Z`) ?? parseInstant(`${text}T00:00:00Z`))?.ms;
}

function invalid(name: string, msg: string): SimulatedReply {
  return { status: 422, body: { detail: [{ loc: ["query", name], msg, type: "value_error" }] } };
}
