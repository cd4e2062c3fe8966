import type { Connector, PulledBatch, TimeWindow } from "../connector.ts";
import { type ProviderClient, readStrictly } from "../provider-client.ts";
import { listDates, windowDates } from "../window-dates.ts";
import { toActivity, toBodies, toCycle, toProfile, toSleep, toSleepStream } from "./map.ts";
import { fitbitPush } from "./push.ts";
import * as replies from "./replies.ts";

const API = "https://api.fitbit.com";
const USER = `${API}/1/user/-`;

const fetchUser = (client: ProviderClient) => client.get(`${USER}/profile.json`, replies.user);

async function* activity(window: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch> {
  for (const date of listDates(window)) {
    const day = await client.get(`${USER}/activities/date/${date}.json`, replies.activity);
    yield { source_type: "watch", resources: { activity: toActivity(date, day) } };
  }
}

async function* sleep(window: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch> {
  const { timezone } = (await fetchUser(client)).user;
  const { first, last } = windowDates(window);
  const { sleep: nights } = await client.get(`${API}/1.2/user/-/sleep/date/${first}/${last}.json`, replies.nights);
  const resources = {
    sleep: nights.map((night) => toSleep(night, timezone)),
    sleep_cycle: nights.flatMap((night) => toCycle(night, timezone)),
    sleep_stream: nights.flatMap((night) => toSleepStream(night, timezone)),
  };
  yield { source_type: "watch", resources };
}

async function* body(window: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch> {
  const { first, last } = windowDates(window);
  const { weight } = await client.get(`${USER}/body/log/weight/date/${first}/${last}.json`, replies.weights);
  yield { source_type: "scale", resources: { body: toBodies(weight) } };
}

async function* profile(_: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch> {
  yield { source_type: "watch", resources: { profile: [toProfile(await fetchUser(client))] } };
}

const pulls: Readonly<Record<string, (window: TimeWindow, client: ProviderClient) => AsyncGenerator<PulledBatch>>> = {
  profile,
  activity,
  sleep,
  body,
};

/** Fitbit Web API, shut down in 2026; docs/connectors.md lists what was tested and against which server. */
export const fitbit: Connector = {
  slug: "fitbit",
  oauth: {
    authorizationUrl: "https://www.fitbit.com/oauth2/authorize",
    tokenUrl: `${API}/oauth2/token`,
    revocation: { kind: "standard", url: `${API}/oauth2/revoke` },
    scopes: ["activity", "profile", "sleep", "weight"],
    identityScopes: [],
    scopeSeparator: " ",
    clientAuthentication: "basic",
    pkce: true,
    unwrap: (reply) => {
      const refused = replies.errorResponse.safeParse(reply);
      return refused.success ? { error: refused.data.errors[0].errorType } : reply;
    },
    fetchAccountId: async (reply) => readStrictly(reply, replies.tokenOwner).user_id,
  },
  historyDays: 90,
  resources: [
    { name: "profile", delivers: ["profile"], windowDays: 90, scopes: ["profile"] },
    // One request per day of data; the rate limit is 150 requests an hour.
    { name: "activity", delivers: ["activity"], windowDays: 10, scopes: ["activity"] },
    // Local times need the time zone of the profile.
    { name: "sleep", delivers: ["sleep", "sleep_cycle"], windowDays: 90, scopes: ["sleep", "profile"] },
    { name: "body", delivers: ["body"], windowDays: 28, scopes: ["weight"] },
  ],
  push: fitbitPush,
  async *pull(name, window, client) {
    yield* pulls[name]?.(window, client) ?? [];
  },
};
