import { DAY_MS } from "../../demo/zone-days.ts";
import type { ProviderDesk } from "../frame/provider-desk.ts";
import { type GrantedCall, granted, type Route, type SimulatedReply } from "../frame/simulated-http.ts";
import { notifyGarmin, pushDays } from "./garmin-pushes.ts";
import { summaryMakers } from "./garmin-summaries.ts";
import { garminUserId } from "./garmin-truth.ts";

const API = "apis.garmin.com/wellness-api/rest";
const MOST_DAYS = 30;
/** Maximum age of backfilled data relative to the user's consent: one month (Health API, Summary Backfill). */
const MONTH_MS = 31 * DAY_MS;
const DELAY_MS = 5_000;

/** Routes of user id, permissions, backfill and deregistration. Garmin has no polling. */
export function garminRoutes(desk: ProviderDesk): Route[] {
  const end = ({ grant: { account } }: GrantedCall): SimulatedReply => {
    desk.tokens.revoke(account);
    desk.instants.delete(connection(account));
    const change = { account, kind: "deregistrations", date: "", change: "delete" } as const;
    desk.later(DELAY_MS, async () => void (await notifyGarmin(desk, change)));
    return { status: 204 };
  };
  return [
    granted("GET", `${API}/user/id`, [], ({ grant: { account } }) => {
      connectedAt(desk, account);
      return { status: 200, body: { userId: garminUserId(account) } };
    }),
    granted("GET", `${API}/user/permissions`, [], ({ grant }) => ({
      status: 200,
      body: { permissions: grant.scopes },
    })),
    granted("DELETE", `${API}/user/registration`, [], end),
    granted("DELETE", "apis.garmin.com/partner-gateway/rest/user/registration", [], end),
    ...Object.keys(summaryMakers).map((kind) =>
      granted("GET", `${API}/backfill/${kind}`, ["HISTORICAL_DATA_EXPORT"], (call) => backfill(desk, kind, call)),
    ),
  ];
}

/** Key of the time of an account's first request. */
const connection = (account: string) => `connected ${account}`;

function connectedAt(desk: ProviderDesk, account: string): number {
  const atMs = desk.instants.get(connection(account)) ?? desk.now();
  desk.instants.set(connection(account), atMs);
  return atMs;
}

/** Accepts a backfill and delivers it by pushes; rejects a repeated request with 409. */
function backfill(desk: ProviderDesk, kind: string, { query, grant: { account } }: GrantedCall): SimulatedReply {
  const from = Number(query.get("summaryStartTimeInSeconds") ?? Number.NaN) * 1000;
  const until = Number(query.get("summaryEndTimeInSeconds") ?? Number.NaN) * 1000;
  const refused = (status: number, errorMessage: string): SimulatedReply => ({ status, body: { errorMessage } });
  if (!(until > from)) return refused(400, "summaryStartTimeInSeconds and summaryEndTimeInSeconds are needed");
  if (until - from > MOST_DAYS * DAY_MS) return refused(400, `the range is longer than ${MOST_DAYS} days`);
  if (from < connectedAt(desk, account) - MONTH_MS) return refused(400, "the start is before the minimum start time");
  const key = `${account} ${kind} ${from} ${until}`;
  if (desk.noted.has(key)) return refused(409, "duplicate backfill request");
  desk.noted.add(key);
  const days = desk.plan(account).days(from, until - 1);
  desk.later(DELAY_MS, async () => void (await pushDays(desk, kind, account, days)));
  return { status: 202 };
}
