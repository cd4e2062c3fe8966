import { createHmac } from "node:crypto";
import type { Push, PushDescription } from "../connector.ts";
import type { ProviderClient } from "../provider-client.ts";
import { ignoreRefusal } from "../provider-error.ts";
import { timingSafeEquals } from "../push-key.ts";
import { readPushTolerantly } from "../tolerant-reader.ts";
import { windowForDate } from "../window-dates.ts";
import { pushBody, user } from "./replies.ts";

const USER = "https://api.fitbit.com/1/user/-";
/** Resources by the name of the subscription collection. */
const resourcesByCollection: Readonly<Record<string, string>> = {
  activities: "activity",
  sleep: "sleep",
  body: "body",
};
const REVOKED = "userRevokedAccess";

/** Creates one subscription per user and collection. The callback URL is configured in Fitbit's developer console. */
async function subscribe(client: ProviderClient): Promise<void> {
  const { encodedId } = (await client.get(`${USER}/profile.json`, user)).user;
  for (const collection of [REVOKED, ...Object.keys(resourcesByCollection)]) {
    const name = `${encodedId}-${collection}`;
    await ignoreRefusal(client.send(`${USER}/${collection}/apiSubscriptions/${name}.json`, { method: "POST" }));
  }
}

/** Pushes name the changed collection and date; they are signed with HMAC-SHA1 of the client secret. */
export const fitbitPush: PushDescription = {
  // Fitbit sends the verification code of its console, and a wrong code that the endpoint must reject.
  answerChallenge: ({ method, query }, { pushSecret }) => {
    if (method !== "GET") return undefined;
    const isRight = pushSecret !== undefined && timingSafeEquals(query.get("verify") ?? "", pushSecret);
    return { status: isRight ? 204 : 404 };
  },
  verify: ({ headers, body }, { clientSecret }) => {
    const right = createHmac("sha1", `${clientSecret}&`).update(body).digest("base64");
    return timingSafeEquals(headers["x-fitbit-signature"] ?? "", right);
  },
  parse: ({ body }, onDropped) =>
    readPushTolerantly(body, pushBody, onDropped).flatMap(({ collectionType, date, ownerId: accountId }): Push[] => {
      if (collectionType === REVOKED) return [{ accountId, isRevoked: true }];
      const resource = resourcesByCollection[collectionType];
      return resource && date ? [{ accountId, changed: { resource, window: windowForDate(date) } }] : [];
    }),
  subscribe,
};
