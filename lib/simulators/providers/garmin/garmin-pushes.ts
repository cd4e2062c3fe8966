import { DAY_MS } from "../../../domain/shared/durations.ts";
import { CLIENT_ID } from "../base/application.ts";
import type { Attempt } from "../base/push-sender.ts";
import type { DataChange, SimulatedProvider } from "../base/simulated-provider.ts";
import type { SyntheticDay } from "../synthetic-data/synthetic-person.ts";
import { garminUserId } from "./garmin-expected-records.ts";
import { summaryBuilders } from "./garmin-summaries.ts";

/** Maximum number of summaries per push; a multiple of 3 keeps the three epochs of a quarter hour together. */
const MAX_SUMMARIES_PER_PUSH = 96;

/** Pushes the summaries of a day, a deregistration, or a change of permissions. */
export async function notifyGarmin(
  provider: SimulatedProvider,
  { account, kind, date }: DataChange,
): Promise<Attempt[]> {
  const userId = garminUserId(account);
  if (kind === "deregistrations") return send(provider, kind, [{ userId }]);
  if (kind === "userPermissionsChange") {
    const changeTimeInSeconds = Math.floor(provider.now() / 1000);
    return send(provider, kind, [{ userId, summaryId: "", permissions: [], changeTimeInSeconds }]);
  }
  return pushDays(provider, kind, account, [provider.person(account).day(Date.parse(date) / DAY_MS)]);
}

/** Pushes the summaries of several days, as after a backfill request. */
export async function pushDays(
  provider: SimulatedProvider,
  kind: string,
  account: string,
  days: readonly SyntheticDay[],
): Promise<Attempt[]> {
  const summaries = provider.applyDuplicates(
    summaryBuilders[kind]?.(provider.person(account), days, provider.now()) ?? [],
  );
  const attempts: Attempt[] = [];
  for (let at = 0; at < summaries.length; at += MAX_SUMMARIES_PER_PUSH) {
    attempts.push(...(await send(provider, kind, summaries.slice(at, at + MAX_SUMMARIES_PER_PUSH))));
  }
  return attempts;
}

/** Garmin does not sign pushes; a header carries the client id. A URL per summary type overrides the general URL. */
async function send(provider: SimulatedProvider, kind: string, summaries: readonly object[]): Promise<Attempt[]> {
  const headers = { "content-type": "application/json", "garmin-client-id": CLIENT_ID };
  const body = JSON.stringify({ [kind]: summaries });
  const isOwn = [...provider.subscriptions.values()].some((subscription) => subscription.kind === kind);
  return provider.pushToSubscribers(isOwn ? kind : "", { headers, body });
}
