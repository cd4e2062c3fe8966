import { DAY_MS } from "../../../domain/shared/durations.ts";
import { type AuthorizedRequest, authorizedRoute, type Route, type SimulatedReply } from "../base/simulated-http.ts";
import type { SimulatedProvider } from "../base/simulated-provider.ts";
import { garminUserId } from "./garmin-expected-records.ts";
import { notifyGarmin, pushDays } from "./garmin-pushes.ts";
import { summaryBuilders } from "./garmin-summaries.ts";

const API = "apis.garmin.com/wellness-api/rest";
const MAX_DAYS = 30;
/** Maximum age of backfilled data relative to the user's consent: one month (Health API, Summary Backfill). */
const MAX_BACKFILL_AGE_MS = 31 * DAY_MS;
const PUSH_DELAY_MS = 5_000;

/** Routes of user id, permissions, backfill and deregistration. Garmin has no polling. */
export function garminRoutes(provider: SimulatedProvider): Route[] {
  const end = ({ grant: { account } }: AuthorizedRequest): SimulatedReply => {
    provider.tokens.revoke(account);
    provider.timestamps.delete(connectionKey(account));
    const change = { account, kind: "deregistrations", date: "", change: "delete" } as const;
    provider.schedule(PUSH_DELAY_MS, async () => void (await notifyGarmin(provider, change)));
    return { status: 204 };
  };
  return [
    authorizedRoute("GET", `${API}/user/id`, [], ({ grant: { account } }) => {
      connectedAt(provider, account);
      return { status: 200, body: { userId: garminUserId(account) } };
    }),
    authorizedRoute("GET", `${API}/user/permissions`, [], ({ grant }) => ({
      status: 200,
      body: { permissions: grant.scopes },
    })),
    authorizedRoute("DELETE", `${API}/user/registration`, [], end),
    authorizedRoute("DELETE", "apis.garmin.com/partner-gateway/rest/user/registration", [], end),
    ...Object.keys(summaryBuilders).map((kind) =>
      authorizedRoute("GET", `${API}/backfill/${kind}`, ["HISTORICAL_DATA_EXPORT"], (call) =>
        backfill(provider, kind, call),
      ),
    ),
  ];
}

/** Key of the time of an account's first request. */
const connectionKey = (account: string) => `connected ${account}`;

function connectedAt(provider: SimulatedProvider, account: string): number {
  const atMs = provider.timestamps.get(connectionKey(account)) ?? provider.now();
  provider.timestamps.set(connectionKey(account), atMs);
  return atMs;
}

/** Accepts a backfill and delivers it by pushes; rejects a repeated request with 409. */
function backfill(
  provider: SimulatedProvider,
  kind: string,
  { query, grant: { account } }: AuthorizedRequest,
): SimulatedReply {
  const from = Number(query.get("summaryStartTimeInSeconds") ?? Number.NaN) * 1000;
  const until = Number(query.get("summaryEndTimeInSeconds") ?? Number.NaN) * 1000;
  const refused = (status: number, errorMessage: string): SimulatedReply => ({ status, body: { errorMessage } });
  if (!(until > from)) return refused(400, "summaryStartTimeInSeconds and summaryEndTimeInSeconds are needed");
  if (until - from > MAX_DAYS * DAY_MS) return refused(400, `the range is longer than ${MAX_DAYS} days`);
  if (from < connectedAt(provider, account) - MAX_BACKFILL_AGE_MS)
    return refused(400, "the start is before the minimum start time");
  const key = `${account} ${kind} ${from} ${until}`;
  if (provider.storedKeys.has(key)) return refused(409, "duplicate backfill request");
  provider.storedKeys.add(key);
  const days = provider.person(account).days(from, until - 1);
  provider.schedule(PUSH_DELAY_MS, async () => void (await pushDays(provider, kind, account, days)));
  return { status: 202 };
}
