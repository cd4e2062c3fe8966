import { DAY_MS } from "../../demo/zone-days.ts";
import { CLIENT_ID } from "../frame/application.ts";
import type { DataChange, ProviderDesk } from "../frame/provider-desk.ts";
import type { Attempt } from "../frame/pushes.ts";
import type { PlannedDay } from "../plan/person-plan.ts";
import { summaryMakers } from "./garmin-summaries.ts";
import { garminUserId } from "./garmin-truth.ts";

/** Maximum number of summaries per push; a multiple of 3 keeps the three epochs of a quarter hour together. */
const MOST_SUMMARIES = 96;

/** Pushes the summaries of a day, a deregistration, or a change of permissions. */
export async function notifyGarmin(desk: ProviderDesk, { account, kind, date }: DataChange): Promise<Attempt[]> {
  const userId = garminUserId(account);
  if (kind === "deregistrations") return send(desk, kind, [{ userId }]);
  if (kind === "userPermissionsChange") {
    const changeTimeInSeconds = Math.floor(desk.now() / 1000);
    return send(desk, kind, [{ userId, summaryId: "", permissions: [], changeTimeInSeconds }]);
  }
  return pushDays(desk, kind, account, [desk.plan(account).day(Date.parse(date) / DAY_MS)]);
}

/** Pushes the summaries of several days, as after a backfill request. */
export async function pushDays(
  desk: ProviderDesk,
  kind: string,
  account: string,
  days: readonly PlannedDay[],
): Promise<Attempt[]> {
  const summaries = desk.listed(summaryMakers[kind]?.(desk.plan(account), days, desk.now()) ?? []);
  const attempts: Attempt[] = [];
  for (let at = 0; at < summaries.length; at += MOST_SUMMARIES) {
    attempts.push(...(await send(desk, kind, summaries.slice(at, at + MOST_SUMMARIES))));
  }
  return attempts;
}

/** Garmin does not sign pushes; a header carries the client id. A URL per summary type overrides the general URL. */
async function send(desk: ProviderDesk, kind: string, summaries: readonly object[]): Promise<Attempt[]> {
  const headers = { "content-type": "application/json", "garmin-client-id": CLIENT_ID };
  const body = JSON.stringify({ [kind]: summaries });
  const isOwn = [...desk.subscriptions.values()].some((subscription) => subscription.kind === kind);
  return desk.tell(isOwn ? kind : "", { headers, body });
}
