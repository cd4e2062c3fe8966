import { createHash, createHmac } from "node:crypto";
import { DAY_MS } from "../../../domain/shared/durations.ts";
import { isApplication } from "../base/application.ts";
import type { Attempt } from "../base/push-sender.ts";
import {
  guardedRoutes,
  parseJsonObject,
  type Route,
  type RoutedRequest,
  type SimulatedReply,
} from "../base/simulated-http.ts";
import type { DataChange, SimulatedProvider, Subscription } from "../base/simulated-provider.ts";
import { exerciseId, polarUserId } from "./polar-expected-records.ts";

const BASE = "www.polaraccesslink.com/v3/webhooks";
const events = [
  "EXERCISE",
  "SLEEP",
  "CONTINUOUS_HEART_RATE",
  "SLEEP_WISE_CIRCADIAN_BEDTIME",
  "SLEEP_WISE_ALERTNESS",
  "ACTIVITY_SUMMARY",
  "PHYSICAL_INFORMATION",
];
const HEADERS = { "content-type": "application/json" };

/** Routes of the application's single webhook. Only its creation returns the secret. */
export function webhookRoutes(provider: SimulatedProvider): Route[] {
  const ofApplication = guardedRoutes(
    BASE,
    (call) => isApplication(call, ["basic"]),
    () => ({ status: 401, body: { error: "unauthorized" } }),
  );
  return [
    ofApplication("GET", "", () => ({
      status: 200,
      body: { data: [...provider.subscriptions.values()].map(toWireWebhook) },
    })),
    ofApplication("POST", "", (call) => createWebhook(provider, call)),
    ofApplication("DELETE", "/{id}", ({ params }) => {
      return { status: provider.subscriptions.delete(params.id ?? "") ? 204 : 404 };
    }),
  ];
}

/** Pushes a change, signed with the webhook's secret. */
export async function notifyPolar(
  provider: SimulatedProvider,
  { account, kind, date }: DataChange,
): Promise<Attempt[]> {
  const person = provider.person(account);
  const isExercise = kind === "EXERCISE";
  const wanted = [...provider.subscriptions.values()].filter(({ details }) =>
    details.events?.split(" ").includes(kind),
  );
  const body = JSON.stringify({
    event: kind,
    user_id: polarUserId(account),
    ...(isExercise ? { entity_id: exerciseId(person, person.day(Date.parse(date) / DAY_MS)) } : { date }),
    timestamp: new Date(provider.now()).toISOString(),
    url: `https://www.polaraccesslink.com/v3/${isExercise ? "exercises" : `users/${kind.toLowerCase()}/${date}`}`,
  });
  const sent = wanted.map(({ url, details: { secret = "" } }) => {
    const signature = createHmac("sha256", secret).update(body).digest("hex");
    const headers = { ...HEADERS, "polar-webhook-event": kind, "polar-webhook-signature": signature };
    return provider.pushSender.send({ url, headers, body });
  });
  return (await Promise.all(sent)).flat();
}

/** Creates the webhook if its URL responds to a PING with 200. */
async function createWebhook(provider: SimulatedProvider, call: RoutedRequest): Promise<SimulatedReply> {
  const { url, events: asked } = parseJsonObject(call);
  const isValid = typeof url === "string" && URL.canParse(url) && Array.isArray(asked) && asked.length > 0;
  if (!isValid || asked.some((event) => !events.includes(event)))
    return { status: 400, body: { error: "bad request" } };
  if (provider.subscriptions.size > 0) return { status: 409, body: { error: "there is a webhook already" } };
  const id = String(provider.nextId());
  const secret = createHash("sha256").update(`polar webhook ${id} ${provider.now()}`).digest("hex");
  const body = JSON.stringify({ timestamp: new Date(provider.now()).toISOString(), event: "PING" });
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  const headers = { ...HEADERS, "polar-webhook-event": "PING", "polar-webhook-signature": signature };
  const answer = await provider.pushSender.sendRequest({ url, headers, body });
  if (answer?.status !== 200) return { status: 400, body: { error: "the URL did not answer the ping" } };
  provider.subscriptions.set(id, { id, url, kind: "", details: { events: asked.join(" "), secret } });
  return { status: 201, body: { data: { id, events: asked, url, signature_secret_key: secret } } };
}

function toWireWebhook({ id, url, details }: Subscription) {
  return { id, events: (details.events ?? "").split(" "), url, active: true };
}
