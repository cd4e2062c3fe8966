import { createHmac } from "node:crypto";
import { CLIENT_SECRET } from "../base/application.ts";
import type { Attempt } from "../base/push-sender.ts";
import {
  type AuthorizedRequest,
  authorizedRoute,
  type Route,
  type RoutedRequest,
  type SimulatedReply,
} from "../base/simulated-http.ts";
import type { DataChange, SimulatedProvider } from "../base/simulated-provider.ts";
import { fitbitUserId } from "./fitbit-expected-records.ts";

const BASE = "api.fitbit.com/1/user/{user}/{collection}/apiSubscriptions";
const collections = ["activities", "body", "foods", "sleep", "userRevokedAccess"];

/** Routes of subscriptions, one per user and collection. The callback URL is a dashboard setting (control route). */
export function fitbitSubscriptionRoutes(provider: SimulatedProvider): Route[] {
  const key = ({ params, grant }: AuthorizedRequest) =>
    `${fitbitUserId(grant.account)} ${params.collection} ${params.file?.replace(".json", "")}`;
  return [
    authorizedRoute("POST", `${BASE}/{file}`, [], (call) => {
      if (!collections.includes(call.params.collection ?? "")) return unknownCollection;
      const isNew = !provider.storedKeys.has(key(call));
      provider.storedKeys.add(key(call));
      return { status: isNew ? 201 : 200, body: toWireSubscription(call) };
    }),
    authorizedRoute("DELETE", `${BASE}/{file}`, [], (call) => ({
      status: provider.storedKeys.delete(key(call)) ? 204 : 404,
    })),
  ];
}

const unknownCollection: SimulatedReply = {
  status: 400,
  body: { success: false, errors: [{ errorType: "validation", message: "Unknown collection." }] },
};

/** Pushes a list with one change to the configured URL if the user is subscribed. */
export async function notifyFitbit(
  provider: SimulatedProvider,
  { account, kind, date }: DataChange,
): Promise<Attempt[]> {
  const ownerId = fitbitUserId(account);
  const found = [...provider.storedKeys].find((key) => key.startsWith(`${ownerId} ${kind} `));
  if (found === undefined) return [];
  const subscriptionId = found.split(" ")[2];
  const body = JSON.stringify([{ collectionType: kind, date, ownerId, ownerType: "user", subscriptionId }]);
  const signature = createHmac("sha1", `${CLIENT_SECRET}&`).update(body).digest("base64");
  return provider.pushToSubscribers("", {
    headers: { "content-type": "application/json", "x-fitbit-signature": signature },
    body,
  });
}

function toWireSubscription({ params }: RoutedRequest) {
  const subscriptionId = params.file?.replace(".json", "");
  return { collectionType: params.collection, ownerType: "user", subscriptionId, subscriberId: "1" };
}
