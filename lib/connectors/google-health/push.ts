import type { KeyObject } from "node:crypto";
import * as z from "zod";
import type { ClientCredentials, PushDescription, PushRequest } from "../connector.ts";
import { jsonText } from "../json-text.ts";
import type { ProviderFetch } from "../provider-http.ts";
import { isSame } from "../push-key.ts";
import { keyset, pushed } from "./replies.ts";
import { isSigned, keyIdOf, keysOf } from "./signature.ts";

const KEYSET = "https://www.gstatic.com/googlehealthapi/webhooks/webhooks_public_keyset.json";

/** What kinds of data are part of, by their names. */
const resources: Readonly<Record<string, string>> = {
  steps: "activity",
  distance: "activity",
  "active-energy-burned": "activity",
  floors: "activity",
  "daily-resting-heart-rate": "activity",
  "heart-rate": "heartrate",
  "heart-rate-variability": "hrv",
  "oxygen-saturation": "blood_oxygen",
  weight: "body",
  "body-fat": "body",
  "blood-glucose": "glucose",
  sleep: "sleep",
  exercise: "workouts",
};

/** Google asks with the secret that it was told and without it, and wants to see that this makes a difference. */
const verification = jsonText(z.object({ type: z.literal("verification") }));

function hasSecret({ headers }: PushRequest, { pushSecret }: ClientCredentials): boolean {
  return pushSecret !== undefined && isSame(headers.authorization ?? "", pushSecret);
}

/** Keys that were read are good for as long as they are in force, which is long. */
const known = new Map<number, KeyObject>();

async function keyOf(id: number, fetch: ProviderFetch): Promise<KeyObject | undefined> {
  if (known.has(id)) return known.get(id);
  const response = await fetch(KEYSET, { method: "GET", headers: { accept: "application/json" } });
  const { success, data } = keyset.safeParse(await response.json().catch(() => undefined));
  if (success) for (const [keyId, key] of keysOf(data)) known.set(keyId, key);
  return known.get(id);
}

/** Pushes tell in which time data of a kind changed, under a signature and with the secret of the subscriber. */
export const googlePush: PushDescription = {
  answer: (request, app) => {
    const { success } = verification.safeParse(request.body);
    return success ? { status: hasSecret(request, app) ? 201 : 401 } : undefined;
  },
  verify: hasSecret,
  prove: async ({ headers, body }, fetch) => {
    const signature = Buffer.from(headers["x-healthapi-signature"] ?? "", "base64");
    const id = keyIdOf(signature);
    const key = id === undefined ? undefined : await keyOf(id, fetch);
    return key !== undefined && isSigned(body, signature, key);
  },
  parse: ({ body }) => {
    const { healthUserId: accountId, dataType, intervals } = pushed.parse(JSON.parse(body)).data;
    const resource = resources[dataType];
    if (resource === undefined) return [];
    return intervals.flatMap(({ physicalTimeInterval: time }) => {
      if (!time) return [];
      // What ends with the interval is within it.
      const window = { startMs: Date.parse(time.startTime), endMs: Date.parse(time.endTime) + 1000 };
      return [{ accountId, changed: { resource, window } }];
    });
  },
};
