import * as z from "zod";
import type { Connector, PulledBatch, TimeWindow } from "../connector.ts";
import { type ProviderClient, readStrictly } from "../provider-client.ts";
import { undefinedIfRefused } from "../provider-error.ts";
import { readFitFile } from "../read-fit-file.ts";
import { toWorkout } from "./map.ts";
import * as replies from "./replies.ts";

const API = "https://api.hammerhead.io/v1";
const ACTIVITIES = `${API}/api/activities`;
const ACTIVITIES_PER_PAGE = 100;

/** Lists activities by their upload, newest first, until a page ends before the window. */
async function* workouts({ startMs, endMs }: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch> {
  for (let page = 1; ; page++) {
    const found = await client.get(ACTIVITIES, replies.activities, { page, perPage: ACTIVITIES_PER_PAGE });
    for (const { id, createdAt } of found.data) {
      const uploadedMs = Date.parse(createdAt);
      if (uploadedMs >= startMs && uploadedMs < endMs) yield* pullWorkout(id, client);
    }
    const last = found.data.at(-1);
    if (page >= found.totalPages || !last || Date.parse(last.createdAt) < startMs) return;
  }
}

/** Pulls one ride. Its FIT file alone states when it began. */
async function* pullWorkout(id: string, client: ProviderClient): AsyncGenerator<PulledBatch> {
  const address = `${ACTIVITIES}/${encodeURIComponent(id)}`;
  const payload = await undefinedIfRefused(client.get(address, z.unknown()));
  const done = payload === undefined ? undefined : client.readRecord(payload, replies.activity, "activity");
  const response = done && (await undefinedIfRefused(client.send(`${address}/file`, { headers: { accept: "*/*" } })));
  if (!response) return;
  const { stream, sessions } = await readFitFile(await response.arrayBuffer());
  const session = sessions[0] && client.readRecord(sessions[0], replies.session, "session");
  if (!session) return;
  const resources = {
    workouts: [toWorkout(done, session)],
    workout_stream: stream ? [{ provider_id: done.id, ...stream }] : [],
  };
  yield { source_type: "unknown", resources };
}

/** Hammerhead API v1; docs/connectors.md lists what was tested and against which server. */
export const hammerhead: Connector = {
  slug: "hammerhead_v2",
  oauth: {
    authorizationUrl: `${API}/auth/oauth/authorize`,
    tokenUrl: `${API}/auth/oauth/token`,
    revocation: {
      kind: "own",
      revoke: async (client, { app }) => {
        const form = { token: await client.accessToken(), client_id: app.clientId, client_secret: app.clientSecret };
        await client.post(`${API}/auth/oauth/deauthorize`, z.unknown(), form);
      },
    },
    scopes: ["activity:read"],
    identityScopes: [],
    scopeSeparator: " ",
    clientAuthentication: "body",
    pkce: false,
    fetchAccountId: async (reply) => String(readStrictly(reply, replies.tokenOwner).user_id),
  },
  historyDays: 30,
  resources: [
    { name: "workouts", delivers: ["workouts", "workout_stream"], windowDays: 30, scopes: ["activity:read"] },
  ],
  async *pull(_, window, client) {
    yield* workouts(window, client);
  },
};
