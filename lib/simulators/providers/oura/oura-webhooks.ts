import { createHash, createHmac } from "node:crypto";
import { DAY_MS } from "../../../domain/shared/durations.ts";
import { CLIENT_ID, CLIENT_SECRET } from "../base/application.ts";
import type { Attempt } from "../base/push-sender.ts";
import {
  guardedRoutes,
  type MaybeAsyncReply,
  parseJsonObject,
  type Route,
  type RoutedRequest,
  type SimulatedReply,
} from "../base/simulated-http.ts";
import type { DataChange, SimulatedProvider, Subscription } from "../base/simulated-provider.ts";
import { stableUuid } from "../base/stable-ids.ts";
import { documentId, ouraCollections, ouraUserId } from "./oura-documents.ts";

const BASE = "api.ouraring.com/v2/webhook/subscription";
const SUBSCRIPTION_LIFETIME_MS = 90 * DAY_MS;
const EVENTS = ["create", "update", "delete"];

/** Routes of the application's subscriptions. Headers carry the client credentials. */
export function webhookRoutes(provider: SimulatedProvider): Route[] {
  const { subscriptions } = provider;
  const route = guardedRoutes(BASE, isApplication, unauthorized);
  const ofOne = (
    method: string,
    path: string,
    answer: (subscription: Subscription, call: RoutedRequest) => MaybeAsyncReply,
  ) =>
    route(method, path, (call) => {
      const subscription = subscriptions.get(call.params.id ?? "");
      return subscription ? answer(subscription, call) : { status: 404, body: { detail: "Subscription not found." } };
    });
  const newId = () => stableUuid(`oura subscription ${provider.nextId()}`);
  return [
    route("GET", "", () => ({ status: 200, body: [...subscriptions.values()].map(toWireSubscription) })),
    route("POST", "", (call) => subscribe(provider, call, { id: newId(), status: 201 })),
    ofOne("GET", "/{id}", (subscription) => ({ status: 200, body: toWireSubscription(subscription) })),
    ofOne("PUT", "/{id}", ({ id }, call) => subscribe(provider, call, { id, status: 200 })),
    ofOne("DELETE", "/{id}", ({ id }) => {
      subscriptions.delete(id);
      return { status: 204 };
    }),
    ofOne("PUT", "/renew/{id}", ({ details, ...kept }) => {
      return storeSubscription(provider, 200, {
        ...kept,
        details: { ...details, expiration_time: expirationTime(provider) },
      });
    }),
  ];
}

/** Sends signed pushes to the subscribers of a data type and event type. */
export async function notifyOura(
  provider: SimulatedProvider,
  { account, kind, date, change }: DataChange,
): Promise<Attempt[]> {
  if (!(kind in ouraCollections)) return [];
  const wanted = [...provider.subscriptions.values()].filter(
    ({ kind: asked, details: { event_type, expiration_time = "" } }) =>
      asked === kind && event_type === change && Date.parse(expiration_time) > provider.now(),
  );
  const person = provider.person(account);
  const body = JSON.stringify({
    event_type: change,
    data_type: kind,
    object_id: documentId(person, kind, person.day(Date.parse(date) / DAY_MS)),
    event_time: new Date(provider.now()).toISOString(),
    user_id: ouraUserId(account),
  });
  const timestamp = String(Math.floor(provider.now() / 1000));
  const signature = createHmac("sha256", CLIENT_SECRET).update(`${timestamp}${body}`).digest("hex").toUpperCase();
  const headers = {
    "content-type": "application/json",
    "x-oura-signature": signature,
    "x-oura-timestamp": timestamp,
  };
  const sent = await Promise.all(wanted.map(({ url }) => provider.pushSender.send({ url, headers, body })));
  return sent.flat();
}

/** Creates or updates a subscription if its URL echoes the challenge. */
async function subscribe(
  provider: SimulatedProvider,
  call: RoutedRequest,
  { id, status }: { readonly id: string; readonly status: number },
): Promise<SimulatedReply> {
  const { callback_url: url, verification_token: token, event_type, data_type: kind } = parseJsonObject(call);
  const isComplete = typeof url === "string" && URL.canParse(url) && typeof token === "string";
  if (!isComplete || !EVENTS.includes(String(event_type)) || typeof kind !== "string") {
    return { status: 422, body: { detail: [{ loc: ["body"], msg: "invalid subscription", type: "value_error" }] } };
  }
  const challenge = createHash("sha256").update(`challenge ${id} ${provider.now()}`).digest("hex").slice(0, 24);
  const question = new URL(url);
  question.searchParams.set("verification_token", token);
  question.searchParams.set("challenge", challenge);
  const answer = await provider.pushSender.sendRequest({ url: question.href, method: "GET", headers: {}, body: "" });
  const isEchoed = answer?.status === 200 && parseJsonObject({ ...call, body: answer.text }).challenge === challenge;
  if (!isEchoed) return { status: 400, body: { detail: "The callback URL did not answer the challenge." } };
  const details = { event_type: String(event_type), expiration_time: expirationTime(provider) };
  return storeSubscription(provider, status, { id, url, kind, details });
}

function storeSubscription(provider: SimulatedProvider, status: number, subscription: Subscription): SimulatedReply {
  provider.subscriptions.set(subscription.id, subscription);
  return { status, body: toWireSubscription(subscription) };
}

function toWireSubscription({ id, url, kind, details }: Subscription) {
  return { id, callback_url: url, data_type: kind, ...details };
}

function isApplication({ headers }: RoutedRequest): boolean {
  return headers["x-client-id"] === CLIENT_ID && headers["x-client-secret"] === CLIENT_SECRET;
}

function unauthorized(): SimulatedReply {
  return { status: 401, body: { detail: "Unknown client id or secret." } };
}

function expirationTime(provider: SimulatedProvider): string {
  return new Date(provider.now() + SUBSCRIPTION_LIFETIME_MS).toISOString();
}
