import { createHash, createHmac } from "node:crypto";
import { DAY_MS } from "../../../domain/shared/durations.ts";
import { CLIENT_SECRET, isApplication } from "../base/application.ts";
import type { Attempt } from "../base/push-sender.ts";
import {
  guardedRoutes,
  parseForm,
  parseJsonObject,
  type Route,
  type RoutedRequest,
  type SimulatedReply,
} from "../base/simulated-http.ts";
import type { DataChange, SimulatedProvider, Subscription } from "../base/simulated-provider.ts";
import { activityId, stravaUserId } from "./strava-expected-records.ts";

const BASE = "www.strava.com/api/v3/push_subscriptions";

/** Routes of the application's single subscription. */
export function subscriptionRoutes(provider: SimulatedProvider): Route[] {
  const ofApplication = guardedRoutes(
    BASE,
    (call) => isApplication(call, ["body", "query"]),
    () => faultReply(401, "Application", "client_secret", "invalid"),
  );
  return [
    ofApplication("GET", "", () => ({
      status: 200,
      body: [...provider.subscriptions.values()].map(toWireSubscription),
    })),
    ofApplication("POST", "", (call) => subscribe(provider, call)),
    ofApplication("DELETE", "/{id}", ({ params }) => {
      const wasThere = provider.subscriptions.delete(params.id ?? "");
      return wasThere ? { status: 204 } : faultReply(404, "PushSubscription", "id", "not found");
    }),
  ];
}

/** Pushes a change of an activity, or, for kind `athlete`, a deauthorization. */
export async function notifyStrava(
  provider: SimulatedProvider,
  { account, kind, date, change }: DataChange,
): Promise<Attempt[]> {
  const person = provider.person(account);
  const owner = stravaUserId(account);
  const isAthlete = kind === "athlete";
  const object = isAthlete ? owner : activityId(person, person.day(Date.parse(date) / DAY_MS));
  const updates = isAthlete ? { authorized: "false" } : change === "update" ? { title: "Changed" } : {};
  const sent = [...provider.subscriptions.values()].map(({ id, url }) => {
    const body = JSON.stringify({
      aspect_type: isAthlete ? "update" : change,
      event_time: Math.floor(provider.now() / 1000),
      object_id: object,
      object_type: isAthlete ? "athlete" : "activity",
      owner_id: owner,
      subscription_id: Number(id),
      updates,
    });
    const time = Math.floor(provider.now() / 1000);
    const signature = createHmac("sha256", CLIENT_SECRET).update(`${time}.${body}`).digest("hex");
    const headers = { "content-type": "application/json", "x-strava-signature": `t=${time},v1=${signature}` };
    return provider.pushSender.send({ url, headers, body });
  });
  return (await Promise.all(sent)).flat();
}

/** Creates the subscription if its URL echoes the challenge. */
async function subscribe(provider: SimulatedProvider, call: RoutedRequest): Promise<SimulatedReply> {
  const form = parseForm(call);
  const [url, token] = [form.get("callback_url") ?? "", form.get("verify_token") ?? ""];
  if (provider.subscriptions.size > 0) return faultReply(400, "PushSubscription", "", "already exists");
  if (!URL.canParse(url) || token === "") return faultReply(400, "PushSubscription", "callback url", "invalid");
  const challenge = createHash("sha256").update(`strava ${url} ${provider.now()}`).digest("hex").slice(0, 16);
  const question = new URL(url);
  question.searchParams.set("hub.mode", "subscribe");
  question.searchParams.set("hub.challenge", challenge);
  question.searchParams.set("hub.verify_token", token);
  const answer = await provider.pushSender.sendRequest({ url: question.href, method: "GET", headers: {}, body: "" });
  const isEchoed =
    answer?.status === 200 && parseJsonObject({ ...call, body: answer.text })["hub.challenge"] === challenge;
  if (!isEchoed) return faultReply(400, "PushSubscription", "callback url", "GET to callback URL does not return 200");
  const id = String(provider.nextId());
  provider.subscriptions.set(id, { id, url, kind: "", details: {} });
  return { status: 201, body: { id: Number(id) } };
}

function toWireSubscription({ id, url }: Subscription) {
  return { id: Number(id), resource_state: 2, callback_url: url };
}

function faultReply(status: number, resource: string, field: string, code: string): SimulatedReply {
  const message = status === 401 ? "Authorization Error" : "Bad Request";
  return { status, body: { message, errors: [{ resource, field, code }] } };
}
