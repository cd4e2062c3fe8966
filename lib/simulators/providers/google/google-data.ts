import { DAY_MS } from "../../../domain/shared/durations.ts";
import {
  type AuthorizedRequest,
  authorizedRoute,
  parseJsonObject,
  type Route,
  type SimulatedReply,
} from "../base/simulated-http.ts";
import type { SimulatedProvider } from "../base/simulated-provider.ts";
import { stableUuid } from "../base/stable-ids.ts";
import { type GoogleDataType, type GooglePoint, jsonMemberName } from "./google-data-type.ts";
import { googleDataTypes } from "./google-data-types.ts";
import { googleError } from "./google-error.ts";
import { parseTimeFilter } from "./google-filter.ts";
import { rollUpReply } from "./google-roll-up.ts";

const USER = "health.googleapis.com/v4/users/me";
const SCOPES = "https://www.googleapis.com/auth/googlehealth";
const POINTS_PER_PAGE = { usual: 1_440, most: 10_000 };
/** Sessions are large, so their pages are smaller. */
const SESSIONS_PER_PAGE = { usual: 25, most: 25 };

/** The provider's user id of an account. */
export function googleUserId(account: string): string {
  return stableUuid(`google ${account}`).replaceAll("-", "").slice(0, 21);
}

/** Routes of each data type: raw, reconciled and rolled-up points. */
export function googleDataRoutes(provider: SimulatedProvider): Route[] {
  const kinds = Object.entries(googleDataTypes).flatMap(([name, type]) => {
    const base = `${USER}/dataTypes/${name}/dataPoints`;
    const scopes = [`${SCOPES}.${type.scope}.readonly`];
    return [
      authorizedRoute("GET", base, scopes, (call) => listReply(provider, name, type, call, true)),
      authorizedRoute("GET", `${base}:reconcile`, scopes, (call) => listReply(provider, name, type, call, false)),
      authorizedRoute("POST", `${base}:rollUp`, scopes, (call) =>
        rollUpReply(provider, name, parseJsonObject(call), call.grant.account),
      ),
    ];
  });
  const identity = ({ grant }: AuthorizedRequest): SimulatedReply => ({
    status: 200,
    body: { name: "users/me/identity", healthUserId: googleUserId(grant.account) },
  });
  return [authorizedRoute("GET", `${USER}/identity`, [], identity), ...kinds];
}

/** Lists points, newest first. Reduces a page size above the maximum. */
function listReply(
  provider: SimulatedProvider,
  name: string,
  type: GoogleDataType,
  { query, grant }: AuthorizedRequest,
  hasSource: boolean,
): SimulatedReply {
  const limits = name === "sleep" || name === "exercise" ? SESSIONS_PER_PAGE : POINTS_PER_PAGE;
  const size = Math.min(Number(query.get("pageSize") ?? 0) || limits.usual, limits.most);
  const offset = Number(Buffer.from(query.get("pageToken") ?? "MA", "base64url").toString("utf8"));
  const member = `${name.replaceAll("-", "_")}.${type.member}`;
  const range = parseTimeFilter(query.get("filter") ?? "", member);
  if (range === undefined) return googleError(400, "INVALID_ARGUMENT", "INVALID_DATA_POINT_FILTER");
  if (!Number.isInteger(offset) || size < 0) return googleError(400, "INVALID_ARGUMENT", "Invalid page.");
  const person = provider.person(grant.account);
  const timeOf = ({ startMs, endMs }: GooglePoint) => {
    if (type.member === "interval.end_time") return endMs;
    return type.member === "interval.civil_start_time" ? startMs + 1000 * person.zone.offsetS(startMs) : startMs;
  };
  const days = person.days(Math.max(0, range.fromMs - DAY_MS), Math.min(range.untilMs, provider.now()) + DAY_MS);
  const points = type
    .listPoints(person, days, provider.now())
    .filter((point) => timeOf(point) >= range.fromMs && timeOf(point) < range.untilMs)
    .toReversed();
  const next = offset + size;
  const dataPoints = points.slice(offset, next).map(({ id, value }) => ({
    ...(hasSource ? { name: `users/me/dataTypes/${name}/dataPoints/${id}`, dataSource } : {}),
    [jsonMemberName(name)]: value,
  }));
  const nextPageToken = next < points.length ? Buffer.from(String(next)).toString("base64url") : undefined;
  return {
    status: 200,
    body: { dataPoints: provider.applyDuplicates(dataPoints), ...(nextPageToken ? { nextPageToken } : {}) },
  };
}

const dataSource = {
  recordingMethod: "PASSIVELY_MEASURED",
  platform: "FITBIT",
  device: { formFactor: "WATCH", displayName: "Pixel Watch 4" },
};
