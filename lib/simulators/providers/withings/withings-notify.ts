import { DAY_MS } from "../../../domain/shared/durations.ts";
import type { Attempt } from "../base/push-sender.ts";
import {
  type AuthorizedRequest,
  authorizedRoute,
  parseForm,
  type Route,
  type SimulatedReply,
} from "../base/simulated-http.ts";
import type { DataChange, SimulatedProvider } from "../base/simulated-provider.ts";
import { withingsUserId } from "./withings-expected-records.ts";
import { withingsReply } from "./withings-reply.ts";

/** Notification categories: weight, temperature, blood pressure and oxygen, activity, sleep, ... */
const applis = ["1", "2", "4", "16", "44", "50", "51", "52", "53", "54", "55", "58", "62"];

/** The route of subscriptions: one per user, URL and category. */
export function notifyRoutes(provider: SimulatedProvider): Route[] {
  return [authorizedRoute("POST", "wbsapi.withings.net/notify", [], (call) => handleAction(provider, call))];
}

/** Pushes the changed interval, form-encoded and unsigned. */
export async function notifyWithings(
  provider: SimulatedProvider,
  { account, kind, date }: DataChange,
): Promise<Attempt[]> {
  const { startMs, endMs } = provider.person(account).day(Date.parse(date) / DAY_MS);
  const userid = String(withingsUserId(account));
  const times = { startdate: String(startMs / 1000), enddate: String(endMs / 1000) };
  const fields = kind === "44" || kind === "1" ? times : { date };
  const body = new URLSearchParams({ userid, ...fields, appli: kind }).toString();
  return provider.pushToSubscribers(`${userid} ${kind}`, {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body,
  });
}

async function handleAction(provider: SimulatedProvider, call: AuthorizedRequest): Promise<SimulatedReply> {
  const form = parseForm(call);
  const userId = withingsUserId(call.grant.account);
  const [url, appli] = [form.get("callbackurl") ?? "", form.get("appli") ?? ""];
  const id = `${userId} ${appli} ${url}`;
  switch (form.get("action")) {
    case "subscribe":
      return subscribe(provider, { id, url, kind: `${userId} ${appli}`, appli });
    case "revoke":
      return provider.subscriptions.delete(id) ? withingsReply(0, {}) : withingsReply(294, "No such subscription");
    case "list": {
      const mine = [...provider.subscriptions.values()].filter(({ kind }) => kind.startsWith(`${userId} `));
      const profiles = mine.map((found) => ({
        appli: Number(found.details.appli),
        callbackurl: found.url,
        comment: "",
      }));
      return withingsReply(0, { profiles });
    }
    default:
      return withingsReply(2555, "Unknown action");
  }
}

/** Creates a subscription if its URL responds to HEAD with 200. */
async function subscribe(
  provider: SimulatedProvider,
  { id, url, kind, appli }: { id: string; url: string; kind: string; appli: string },
): Promise<SimulatedReply> {
  if (!URL.canParse(url) || !applis.includes(appli)) return withingsReply(503, "Invalid Params: callbackurl or appli");
  const answer = await provider.pushSender.sendRequest({ url, method: "HEAD", headers: {}, body: "" });
  if (answer?.status !== 200) return withingsReply(293, "The callback URL is either absent or incorrect");
  provider.subscriptions.set(id, { id, url, kind, details: { appli } });
  return withingsReply(0, {});
}
