import type { KeyObject } from "node:crypto";
import * as z from "zod";
import { parseInUtc } from "../../domain/shared/instant.ts";
import type { ClientCredentials } from "../client-credentials.ts";
import type { Push, PushDescription, PushRequest } from "../connector.ts";
import { jsonTextSchema } from "../json-text.ts";
import type { ProviderFetch } from "../provider-client.ts";
import { timingSafeEquals } from "../push-key.ts";
import { readPushTolerantly } from "../tolerant-reader.ts";
import { keyset, type Notification, pushBody } from "./replies.ts";
import { hasValidSignature, parseKeyset, readKeyId } from "./signature.ts";

const KEYSET = "https://www.gstatic.com/googlehealthapi/webhooks/webhooks_public_keyset.json";

/** Resources by Google's data type. */
const resourcesByDataType: Readonly<Record<string, string>> = {
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
const MAX_UTC_OFFSET_MS = 14 * 3_600_000;
/** Names of the signature header: in the webhook guide, and in the API reference. */
const SIGNATURE_HEADERS = ["google-health-api-signature", "x-healthapi-signature"];

/** Google verifies an endpoint with and without the secret, and expects success only with it. */
const verificationRequest = z.object({ type: z.literal("verification") });
const verification = jsonTextSchema(z.union([verificationRequest, z.tuple([verificationRequest])]));

function hasSecret({ headers }: PushRequest, { pushSecret }: ClientCredentials): boolean {
  return pushSecret !== undefined && timingSafeEquals(headers.authorization ?? "", pushSecret);
}

/** Public keys by id. Keys rarely change, so entries do not expire. */
const cachedKeys = new Map<number, KeyObject>();

async function fetchKey(id: number, fetch: ProviderFetch): Promise<KeyObject | undefined> {
  if (cachedKeys.has(id)) return cachedKeys.get(id);
  const response = await fetch(KEYSET, { method: "GET", headers: { accept: "application/json" } });
  const { success, data } = keyset.safeParse(await response.json().catch(() => undefined));
  if (success) for (const [keyId, key] of parseKeyset(data)) cachedKeys.set(keyId, key);
  return cachedKeys.get(id);
}

/** Pushes name the data type and the changed intervals. They carry a signature and the subscriber's secret. */
export const googlePush: PushDescription = {
  answerChallenge: (request, app) => {
    const { success } = verification.safeParse(request.body);
    return success ? { status: hasSecret(request, app) ? 201 : 401 } : undefined;
  },
  verify: hasSecret,
  verifySignature: async ({ headers, body }, fetch) => {
    const given = SIGNATURE_HEADERS.map((name) => headers[name]).find((one) => one !== undefined);
    const signature = Buffer.from(given ?? "", "base64");
    const id = readKeyId(signature);
    const key = id === undefined ? undefined : await fetchKey(id, fetch);
    return key !== undefined && hasValidSignature(body, signature, key);
  },
  parse: ({ body }, onDropped) =>
    readPushTolerantly(body, pushBody, onDropped).flatMap(
      ({ data: { healthUserId: accountId, dataType, intervals } }): Push[] => {
        const resource = resourcesByDataType[dataType];
        if (resource === undefined) return [];
        const windows = intervals.map(toWindow).filter((window) => window !== undefined);
        return windows.map((window) => ({ accountId, changed: { resource, window } }));
      },
    ),
};

type Interval = Notification["data"]["intervals"][number];

/** Converts an interval to a window that includes the interval's end. Civil times widen it by the largest offset. */
function toWindow({ physicalTimeInterval, civilIso8601TimeInterval, civilDateTimeInterval }: Interval) {
  const instants = physicalTimeInterval ?? civilIso8601TimeInterval;
  const [startMs, endMs] = instants
    ? [parseInUtc(instants.startTime), parseInUtc(instants.endTime)]
    : [civilDateTimeInterval?.startDateTime, civilDateTimeInterval?.endDateTime].map(civilToUtc);
  if (startMs === undefined || endMs === undefined || Number.isNaN(startMs + endMs)) return undefined;
  const offByMs = physicalTimeInterval ? 0 : MAX_UTC_OFFSET_MS;
  return { startMs: startMs - offByMs, endMs: endMs + 1000 + offByMs };
}

type CivilDateTime = NonNullable<Interval["civilDateTimeInterval"]>["startDateTime"];

const civilToUtc = (shown: CivilDateTime | undefined): number =>
  shown
    ? Date.UTC(shown.date.year, shown.date.month - 1, shown.date.day, shown.time?.hours ?? 0, shown.time?.minutes ?? 0)
    : Number.NaN;
