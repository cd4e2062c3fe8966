import type { KeyObject } from "node:crypto";
import * as z from "zod";
import type { ClientCredentials, Push, PushDescription, PushRequest } from "../connector.ts";
import { jsonText } from "../json-text.ts";
import type { ProviderFetch } from "../provider-http.ts";
import { isSame } from "../push-key.ts";
import { readPushed } from "../read-published.ts";
import { keyset, type Notification, pushed } from "./replies.ts";
import { isSigned, keyIdOf, keysOf } from "./signature.ts";

const KEYSET = "https://www.gstatic.com/googlehealthapi/webhooks/webhooks_public_keyset.json";

/** Resources by Google's data type. */
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

/** The largest UTC offset of any time zone. */
const MOST_OFFSET_MS = 14 * 3_600_000;
/** Names of the signature header: in the webhook guide, and in the API reference. */
const SIGNATURES = ["google-health-api-signature", "x-healthapi-signature"];

/** Google verifies an endpoint with and without the secret, and expects success only with it. */
const asked = z.object({ type: z.literal("verification") });
const verification = jsonText(z.union([asked, z.tuple([asked])]));

function hasSecret({ headers }: PushRequest, { pushSecret }: ClientCredentials): boolean {
  return pushSecret !== undefined && isSame(headers.authorization ?? "", pushSecret);
}

/** Public keys by id. Keys rarely change, so entries do not expire. */
const known = new Map<number, KeyObject>();

async function keyOf(id: number, fetch: ProviderFetch): Promise<KeyObject | undefined> {
  if (known.has(id)) return known.get(id);
  const response = await fetch(KEYSET, { method: "GET", headers: { accept: "application/json" } });
  const { success, data } = keyset.safeParse(await response.json().catch(() => undefined));
  if (success) for (const [keyId, key] of keysOf(data)) known.set(keyId, key);
  return known.get(id);
}

/** Pushes name the data type and the changed intervals. They carry a signature and the subscriber's secret. */
export const googlePush: PushDescription = {
  answer: (request, app) => {
    const { success } = verification.safeParse(request.body);
    return success ? { status: hasSecret(request, app) ? 201 : 401 } : undefined;
  },
  verify: hasSecret,
  prove: async ({ headers, body }, fetch) => {
    const given = SIGNATURES.map((name) => headers[name]).find((one) => one !== undefined);
    const signature = Buffer.from(given ?? "", "base64");
    const id = keyIdOf(signature);
    const key = id === undefined ? undefined : await keyOf(id, fetch);
    return key !== undefined && isSigned(body, signature, key);
  },
  parse: ({ body }) =>
    readPushed(body, pushed).flatMap(({ data: { healthUserId: accountId, dataType, intervals } }): Push[] => {
      const resource = resources[dataType];
      if (resource === undefined) return [];
      const windows = intervals.map(windowOf).filter((window) => window !== undefined);
      return windows.map((window) => ({ accountId, changed: { resource, window } }));
    }),
};

type Interval = Notification["data"]["intervals"][number];

/** Converts an interval to a window that includes the interval's end. Civil times widen it by the largest offset. */
function windowOf({ physicalTimeInterval, civilIso8601TimeInterval, civilDateTimeInterval }: Interval) {
  const instants = physicalTimeInterval ?? civilIso8601TimeInterval;
  const [startMs, endMs] = instants
    ? [instantOf(instants.startTime), instantOf(instants.endTime)]
    : [civilDateTimeInterval?.startDateTime, civilDateTimeInterval?.endDateTime].map(shownAt);
  if (startMs === undefined || endMs === undefined || Number.isNaN(startMs + endMs)) return undefined;
  const offByMs = physicalTimeInterval ? 0 : MOST_OFFSET_MS;
  return { startMs: startMs - offByMs, endMs: endMs + 1000 + offByMs };
}

/** Parses a time; without an offset it counts as UTC. */
const instantOf = (text: string): number => Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);

type Civil = NonNullable<Interval["civilDateTimeInterval"]>["startDateTime"];

const shownAt = (shown: Civil | undefined): number =>
  shown
    ? Date.UTC(shown.date.year, shown.date.month - 1, shown.date.day, shown.time?.hours ?? 0, shown.time?.minutes ?? 0)
    : Number.NaN;
