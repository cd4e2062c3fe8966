import { createHmac } from "node:crypto";
import type { Push, PushDescription } from "../connector.ts";
import { unlessRefused } from "../provider-error.ts";
import type { ProviderClient } from "../provider-http.ts";
import { isSame } from "../push-key.ts";
import { readPushed } from "../read-published.ts";
import { windowOfDate } from "../window-dates.ts";
import { pushed, user } from "./replies.ts";

const USER = "https://api.fitbit.com/1/user/-";
/** Resources by the name of the subscription collection. */
const resources: Readonly<Record<string, string>> = { activities: "activity", sleep: "sleep", body: "body" };
const REVOKED = "userRevokedAccess";

/** Creates one subscription per user and collection. The callback URL is configured in Fitbit's developer console. */
async function subscribe(client: ProviderClient): Promise<void> {
  const { encodedId } = (await client.get(`${USER}/profile.json`, user)).user;
  for (const collection of [REVOKED, ...Object.keys(resources)]) {
    const name = `${encodedId}-${collection}`;
    await unlessRefused(client.send(`${USER}/${collection}/apiSubscriptions/${name}.json`, { method: "POST" }));
  }
}

/** Pushes name the changed collection and date; they are signed with HMAC-SHA1 of the client secret. */
export const fitbitPush: PushDescription = {
  // Fitbit sends the verification code of its console, and a wrong code that the endpoint must reject.
  answer: ({ method, query }, { pushSecret }) => {
    if (method !== "GET") return undefined;
    const isRight = pushSecret !== undefined && isSame(query.get("verify") ?? "", pushSecret);
    return { status: isRight ? 204 : 404 };
  },
  verify: ({ headers, body }, { clientSecret }) => {
    const right = createHmac("sha1", `${clientSecret}&`).update(body).digest("base64");
    return isSame(headers["x-fitbit-signature"] ?? "", right);
  },
  parse: ({ body }) =>
    readPushed(body, pushed).flatMap(({ collectionType, date, ownerId: accountId }): Push[] => {
      if (collectionType === REVOKED) return [{ accountId, isRevoked: true }];
      const resource = resources[collectionType];
      return resource && date ? [{ accountId, changed: { resource, window: windowOfDate(date) } }] : [];
    }),
  subscribe,
};
