import { DAY_MS } from "../../../domain/shared/durations.ts";
import { CLIENT_SECRET } from "../base/application.ts";
import type { Attempt } from "../base/push-sender.ts";
import {
  guardedRoutes,
  parseJsonObject,
  publicRoute,
  type Route,
  type RoutedRequest,
  type SimulatedReply,
} from "../base/simulated-http.ts";
import type { DataChange, SimulatedProvider, Subscription } from "../base/simulated-provider.ts";
import { googleUserId } from "./google-data.ts";
import { googleError } from "./google-error.ts";
import { publicKeyset, signGooglePush } from "./google-keys.ts";

const BASE = "health.googleapis.com/v4/projects/{project}/subscribers";

/** Routes of the project's subscribers. The simulator accepts the client secret as the service account's token. */
export function subscriberRoutes(provider: SimulatedProvider): Route[] {
  const isServiceAccount = ({ headers }: RoutedRequest) => headers.authorization === `Bearer ${CLIENT_SECRET}`;
  const ofProject = guardedRoutes(BASE, isServiceAccount, provider.definition.unauthorized);
  return [
    publicRoute("GET", "www.gstatic.com/googlehealthapi/webhooks/webhooks_public_keyset.json", () => ({
      status: 200,
      body: publicKeyset(),
    })),
    ofProject("GET", "", () => ({
      status: 200,
      body: { subscribers: [...provider.subscriptions.values()].map(toWireSubscriber) },
    })),
    ofProject("POST", "", (call) => createSubscriber(provider, call)),
    ofProject("DELETE", "/{id}", ({ params }) => {
      const wasThere = provider.subscriptions.delete(params.id ?? "");
      return wasThere ? { status: 200, body: {} } : googleError(404, "NOT_FOUND", "There is no such subscriber.");
    }),
  ];
}

/** Pushes the changed interval of a data type, without values. */
export async function notifyGoogle(provider: SimulatedProvider, change: DataChange): Promise<Attempt[]> {
  const { account, kind, date } = change;
  const day = provider.person(account).day(Date.parse(date) / DAY_MS);
  const [startTime, endTime] = [day.startMs, day.endMs].map((ms) => new Date(ms).toISOString());
  const data = {
    version: "1",
    healthUserId: googleUserId(account),
    operation: change.change === "delete" ? "DELETE" : "UPSERT",
    dataType: kind,
    intervals: [{ physicalTimeInterval: { startTime, endTime } }],
  };
  const wanted = [...provider.subscriptions.values()].filter(({ kind: asked }) => asked.split(" ").includes(kind));
  const sent = wanted.map(({ id, url, details: { secret = "" } }) => {
    const body = JSON.stringify([{ data: { ...data, clientProvidedSubscriptionName: id } }]);
    return provider.pushSender.send({ url, headers: pushHeaders(body, secret), body });
  });
  return (await Promise.all(sent)).flat();
}

/** Creates a subscriber if its URL accepts a verification with the secret and rejects one without. */
async function createSubscriber(provider: SimulatedProvider, call: RoutedRequest): Promise<SimulatedReply> {
  const { endpointUri: url, subscriberConfigs, endpointAuthorization } = parseJsonObject(call);
  const secret = Reflect.get(Object(endpointAuthorization), "secret");
  const configs = Array.isArray(subscriberConfigs) ? subscriberConfigs : [];
  const kinds = configs.flatMap((config) => Reflect.get(Object(config), "dataTypes") ?? []).join(" ");
  if (typeof url !== "string" || !URL.canParse(url) || typeof secret !== "string" || kinds === "") {
    return googleError(400, "INVALID_ARGUMENT", "The subscriber is not complete.");
  }
  const body = JSON.stringify({ type: "verification" });
  const withSecret = await provider.pushSender.sendRequest({ url, headers: pushHeaders(body, secret), body });
  const { authorization: _, ...bare } = pushHeaders(body, secret);
  const without = await provider.pushSender.sendRequest({ url, headers: bare, body });
  if (withSecret?.status !== 201 || (without?.status !== 401 && without?.status !== 403)) {
    return googleError(400, "FAILED_PRECONDITION", "The endpoint could not be verified.");
  }
  const id = call.query.get("subscriberId") ?? `subscriber-${provider.nextId()}`;
  const subscription = { id, url, kind: kinds, details: { secret } };
  provider.subscriptions.set(id, subscription);
  return { status: 200, body: toWireSubscriber(subscription) };
}

function pushHeaders(body: string, secret: string) {
  return {
    "content-type": "application/json",
    authorization: secret,
    "google-health-api-signature": signGooglePush(body),
  };
}

function toWireSubscriber({ id, url, kind }: Subscription) {
  const subscriberConfigs = [{ dataTypes: kind.split(" "), subscriptionCreatePolicy: "AUTOMATIC" }];
  return { name: `projects/tributary/subscribers/${id}`, endpointUri: url, state: "ACTIVE", subscriberConfigs };
}
