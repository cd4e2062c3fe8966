import { createHmac } from "node:crypto";
import { CLIENT_SECRET } from "../frame/application.ts";
import type { DataChange, ProviderDesk } from "../frame/provider-desk.ts";
import type { Attempt } from "../frame/pushes.ts";
import { type Call, type GrantedCall, granted, type Route, type SimulatedReply } from "../frame/simulated-http.ts";
import { fitbitUserId } from "./fitbit-truth.ts";

const BASE = "api.fitbit.com/1/user/{user}/{collection}/apiSubscriptions";
const collections = ["activities", "body", "foods", "sleep", "userRevokedAccess"];

/** Routes of subscriptions, one per user and collection. The callback URL is a dashboard setting (control route). */
export function fitbitSubscriptionRoutes(desk: ProviderDesk): Route[] {
  const key = ({ params, grant }: GrantedCall) =>
    `${fitbitUserId(grant.account)} ${params.collection} ${params.file?.replace(".json", "")}`;
  return [
    granted("POST", `${BASE}/{file}`, [], (call) => {
      if (!collections.includes(call.params.collection ?? "")) return unknownCollection;
      const isNew = !desk.noted.has(key(call));
      desk.noted.add(key(call));
      return { status: isNew ? 201 : 200, body: shown(call) };
    }),
    granted("DELETE", `${BASE}/{file}`, [], (call) => ({ status: desk.noted.delete(key(call)) ? 204 : 404 })),
  ];
}

const unknownCollection: SimulatedReply = {
  status: 400,
  body: { success: false, errors: [{ errorType: "validation", message: "Unknown collection." }] },
};

/** Pushes a list with one change to the configured URL if the user is subscribed. */
export async function notifyFitbit(desk: ProviderDesk, { account, kind, date }: DataChange): Promise<Attempt[]> {
  const ownerId = fitbitUserId(account);
  const found = [...desk.noted].find((key) => key.startsWith(`${ownerId} ${kind} `));
  if (found === undefined) return [];
  const subscriptionId = found.split(" ")[2];
  const body = JSON.stringify([{ collectionType: kind, date, ownerId, ownerType: "user", subscriptionId }]);
  const signature = createHmac("sha1", `${CLIENT_SECRET}&`).update(body).digest("base64");
  return desk.tell("", { headers: { "content-type": "application/json", "x-fitbit-signature": signature }, body });
}

function shown({ params }: Call) {
  const subscriptionId = params.file?.replace(".json", "");
  return { collectionType: params.collection, ownerType: "user", subscriptionId, subscriberId: "1" };
}
