import { signWebhook } from "../../../lib/crypto/webhook-signature.ts";

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
export const NOW = Date.parse("2026-03-01T12:00:00Z");
export const USER_ID = "5c1a7c9e-0b1f-4d52-9a39-3c2f0f1f8a10";

export interface Signing {
  readonly secrets?: readonly string[];
  readonly atMs?: number;
  readonly families?: readonly string[];
  readonly id?: string;
}

/** Creates a webhook as the service sends it. */
export function signedWebhook(
  body: string,
  { secrets = [SECRET], atMs = NOW, families = ["svix"], id = "msg_1" }: Signing = {},
) {
  const timestampS = Math.floor(atMs / 1000);
  const signature = signWebhook(secrets, id, timestampS, body);
  const headers = families.flatMap((family) => [
    [`${family}-id`, id],
    [`${family}-timestamp`, String(timestampS)],
    [`${family}-signature`, signature],
  ]);
  return { headers: { ...Object.fromEntries(headers), "content-type": "application/json" }, body };
}

/** Creates the body of an event. */
export function eventBody(eventType: string, data: unknown = {}): string {
  return JSON.stringify({ event_type: eventType, user_id: USER_ID, data });
}
