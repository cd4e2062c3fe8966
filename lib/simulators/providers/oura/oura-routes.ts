import { DAY_MS } from "../../../domain/shared/durations.ts";
import { parseInstant } from "../../../domain/shared/instant.ts";
import {
  type AuthorizedRequest,
  authorizedRoute,
  publicRoute,
  type Route,
  type RoutedRequest,
  type SimulatedReply,
} from "../base/simulated-http.ts";
import type { SimulatedProvider } from "../base/simulated-provider.ts";
import { listSyntheticDays, parseDayNumber } from "../synthetic-data/available-data.ts";
import { ouraCollections, ouraUserId } from "./oura-documents.ts";

const API = "api.ouraring.com";
const DOCUMENTS_PER_PAGE = 10;
const HEART_RATES_PER_PAGE = 1_000;
const MAX_HEART_RATE_DAYS = 30;

/** Routes of personal info, of the collections by date, and of heart rate by time. */
export function ouraDataRoutes(provider: SimulatedProvider): Route[] {
  const collections = Object.entries(ouraCollections).flatMap(([name, { scope }]) => [
    authorizedRoute("GET", `${API}/v2/usercollection/${name}`, [scope], (call) => documentsReply(provider, name, call)),
    authorizedRoute("GET", `${API}/v2/usercollection/${name}/{id}`, [scope], (call) =>
      documentReply(provider, name, call),
    ),
  ]);
  return [
    authorizedRoute("GET", `${API}/v2/usercollection/personal_info`, ["personal", "email"], (call) =>
      personalInfoReply(provider, call),
    ),
    authorizedRoute("GET", `${API}/v2/usercollection/heartrate`, ["heartrate"], (call) =>
      heartRateReply(provider, call),
    ),
    ...collections,
  ];
}

/** Routes that revoke a token, sent as query parameter. */
export function revokeRoutes(provider: SimulatedProvider): Route[] {
  const revoke = ({ query }: RoutedRequest): SimulatedReply => {
    const account = provider.tokens.findAccount(query.get("access_token") ?? "");
    if (account !== undefined) provider.tokens.revoke(account);
    return { status: 200, body: {} };
  };
  return [publicRoute("POST", `${API}/oauth/revoke`, revoke), publicRoute("GET", `${API}/oauth/revoke`, revoke)];
}

function personalInfoReply(provider: SimulatedProvider, { grant }: AuthorizedRequest): SimulatedReply {
  const person = provider.person(grant.account);
  const { birthYear, heightCm, sex } = person;
  const today = person.day(person.zone.dayAt(provider.now()));
  const isPersonal = grant.scopes.includes("personal");
  const measures = isPersonal
    ? {
        age: new Date(provider.now()).getUTCFullYear() - birthYear,
        weight: today.weightG / 1000,
        height: heightCm / 100,
        biological_sex: sex,
      }
    : {};
  const email = grant.scopes.includes("email") ? `${grant.account}@example.com` : null;
  return { status: 200, body: { id: ouraUserId(grant.account), ...measures, email } };
}

/** Lists documents from `start_date` to `end_date`, both included; default: yesterday and today in UTC. */
function documentsReply(
  provider: SimulatedProvider,
  name: string,
  { query, grant }: AuthorizedRequest,
): SimulatedReply {
  const today = Math.floor(provider.now() / DAY_MS);
  const end = query.has("end_date") ? parseDayNumber(query.get("end_date")) : today;
  const start = query.has("start_date") ? parseDayNumber(query.get("start_date")) : (end ?? today) - 1;
  if (start === undefined) return validationErrorReply("start_date", "invalid date");
  if (end === undefined) return validationErrorReply("end_date", "invalid date");
  if (start > end) return { status: 400, body: { detail: "start_date is after end_date" } };
  const plan = provider.person(grant.account);
  const found = listSyntheticDays(plan, start, end).flatMap((day) => {
    return ouraCollections[name]!.listDocuments(plan, day, provider.now());
  });
  return pageReply(provider, found, query.get("next_token"), DOCUMENTS_PER_PAGE);
}

function documentReply(
  provider: SimulatedProvider,
  name: string,
  { params, grant }: AuthorizedRequest,
): SimulatedReply {
  const plan = provider.person(grant.account);
  const days = listSyntheticDays(plan, 0, Math.floor(provider.now() / DAY_MS) + 1);
  const all = days.flatMap((day) => ouraCollections[name]!.listDocuments(plan, day, provider.now()));
  const found = all.find(({ id }) => id === params.id);
  return found ? { status: 200, body: found } : { status: 404, body: { detail: "Document not found." } };
}

/** Lists heart rates from `start_datetime` (included) to `end_datetime` (excluded); default: the last 24 hours. */
function heartRateReply(provider: SimulatedProvider, { query, grant }: AuthorizedRequest): SimulatedReply {
  const end = parseInstantOrDefault(query.get("end_datetime"), provider.now());
  const start = parseInstantOrDefault(query.get("start_datetime"), (end ?? 0) - DAY_MS);
  if (start === undefined) return validationErrorReply("start_datetime", "invalid datetime");
  if (end === undefined) return validationErrorReply("end_datetime", "invalid datetime");
  if (start > end) return { status: 400, body: { detail: "start_datetime is after end_datetime" } };
  if (end - start > MAX_HEART_RATE_DAYS * DAY_MS) {
    return { status: 400, body: { detail: `The range is longer than ${MAX_HEART_RATE_DAYS} days.` } };
  }
  const plan = provider.person(grant.account);
  const beats = plan.days(start, end).flatMap((day) => {
    const isAsleep = (atMs: number) => day.sleep.startMs <= atMs && atMs < day.sleep.endMs;
    return plan
      .heartRate(day)
      .filter(({ atMs }) => start <= atMs && atMs < end && atMs <= provider.now())
      .map(({ atMs, value }) => ({
        bpm: value,
        source: isAsleep(atMs) ? "sleep" : "awake",
        timestamp: new Date(atMs).toISOString(),
      }));
  });
  return pageReply(provider, beats, query.get("next_token"), HEART_RATES_PER_PAGE);
}

function pageReply(
  provider: SimulatedProvider,
  all: readonly object[],
  token: string | null,
  size: number,
): SimulatedReply {
  const offset = token === null ? 0 : Number(Buffer.from(token, "base64url").toString("utf8"));
  if (!Number.isInteger(offset) || offset < 0) return { status: 400, body: { detail: "Invalid next_token." } };
  const next = offset + size;
  const next_token = next < all.length ? Buffer.from(String(next)).toString("base64url") : null;
  return { status: 200, body: { data: provider.applyDuplicates(all.slice(offset, next)), next_token } };
}

/** Parses a time to epoch ms; without an offset it counts as UTC. */
function parseInstantOrDefault(text: string | null, fallback: number): number | undefined {
  if (text === null) return fallback;
  return (parseInstant(text) ?? parseInstant(`${text}Z`) ?? parseInstant(`${text}T00:00:00Z`))?.ms;
}

function validationErrorReply(name: string, msg: string): SimulatedReply {
  return { status: 422, body: { detail: [{ loc: ["query", name], msg, type: "value_error" }] } };
}
