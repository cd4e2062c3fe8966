import { DAY_MS } from "../../demo/zone-days.ts";
import { CLIENT_SECRET } from "../frame/application.ts";
import type { DataChange, ProviderDesk, Subscription } from "../frame/provider-desk.ts";
import type { Attempt } from "../frame/pushes.ts";
import { type Call, jsonOf, open, type Route, type SimulatedReply } from "../frame/simulated-http.ts";
import { googleUserId } from "./google-data.ts";
import { googleError } from "./google-error.ts";
import { googleSignature, publicKeyset } from "./google-keys.ts";

const BASE = "health.googleapis.com/v4/projects/{project}/subscribers";

/** Routes of the project's subscribers. The simulator accepts the client secret as the service account's token. */
export function subscriberRoutes(desk: ProviderDesk): Route[] {
  const ofProject = (method: string, path: string, answer: (call: Call) => SimulatedReply | Promise<SimulatedReply>) =>
    open(method, `${BASE}${path}`, (call) =>
      call.headers.authorization === `Bearer ${CLIENT_SECRET}` ? answer(call) : desk.rules.unauthorized(call),
    );
  return [
    open("GET", "www.gstatic.com/googlehealthapi/webhooks/webhooks_public_keyset.json", () => ({
      status: 200,
      body: publicKeyset(),
    })),
    ofProject("GET", "", () => ({ status: 200, body: { subscribers: [...desk.subscriptions.values()].map(shown) } })),
    ofProject("POST", "", (call) => create(desk, call)),
    ofProject("DELETE", "/{id}", ({ params }) => {
      const wasThere = desk.subscriptions.delete(params.id ?? "");
      return wasThere ? { status: 200, body: {} } : googleError(404, "NOT_FOUND", "There is no such subscriber.");
    }),
  ];
}

/** Pushes the changed interval of a data type, without values. */
export async function notifyGoogle(desk: ProviderDesk, change: DataChange): Promise<Attempt[]> {
  const { account, kind, date } = change;
  const day = desk.plan(account).day(Date.parse(date) / DAY_MS);
  const [startTime, endTime] = [day.startMs, day.endMs].map((ms) => new Date(ms).toISOString());
  const data = {
    version: "1",
    healthUserId: googleUserId(account),
    operation: change.change === "delete" ? "DELETE" : "UPSERT",
    dataType: kind,
    intervals: [{ physicalTimeInterval: { startTime, endTime } }],
  };
  const wanted = [...desk.subscriptions.values()].filter(({ kind: asked }) => asked.split(" ").includes(kind));
  const sent = wanted.map(({ id, url, details: { secret = "" } }) => {
    const body = JSON.stringify([{ data: { ...data, clientProvidedSubscriptionName: id } }]);
    return desk.pushes.send({ url, headers: headersOf(body, secret), body });
  });
  return (await Promise.all(sent)).flat();
}

/** Creates a subscriber if its URL accepts a verification with the secret and rejects one without. */
async function create(desk: ProviderDesk, call: Call): Promise<SimulatedReply> {
  const { endpointUri: url, subscriberConfigs, endpointAuthorization } = jsonOf(call);
  const secret = Reflect.get(Object(endpointAuthorization), "secret");
  const configs = Array.isArray(subscriberConfigs) ? subscriberConfigs : [];
  const kinds = configs.flatMap((config) => Reflect.get(Object(config), "dataTypes") ?? []).join(" ");
  if (typeof url !== "string" || !URL.canParse(url) || typeof secret !== "string" || kinds === "") {
    return googleError(400, "INVALID_ARGUMENT", "The subscriber is not complete.");
  }
  const body = JSON.stringify({ type: "verification" });
  const withSecret = await desk.pushes.ask({ url, headers: headersOf(body, secret), body });
  const { authorization: _, ...bare } = headersOf(body, secret);
  const without = await desk.pushes.ask({ url, headers: bare, body });
  if (withSecret?.status !== 201 || (without?.status !== 401 && without?.status !== 403)) {
    return googleError(400, "FAILED_PRECONDITION", "The endpoint could not be verified.");
  }
  const id = call.query.get("subscriberId") ?? `subscriber-${desk.nextId()}`;
  const subscription = { id, url, kind: kinds, details: { secret } };
  desk.subscriptions.set(id, subscription);
  return { status: 200, body: shown(subscription) };
}

function headersOf(body: string, secret: string) {
  return {
    "content-type": "application/json",
    authorization: secret,
    "google-health-api-signature": googleSignature(body),
  };
}

function shown({ id, url, kind }: Subscription) {
  const subscriberConfigs = [{ dataTypes: kind.split(" "), subscriptionCreatePolicy: "AUTOMATIC" }];
  return { name: `projects/tributary/subscribers/${id}`, endpointUri: url, state: "ACTIVE", subscriberConfigs };
}
