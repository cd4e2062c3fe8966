import { timingSafeEqual } from "node:crypto";
import { Webhook } from "standardwebhooks";

/** A webhook as it came in: header names in lower case, the body exactly as sent (the signature is over its bytes). */
export interface ReceivedWebhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Receivers refuse an attempt that is further from their own time than this (Standard Webhooks, "Verifying"). */
const TOLERANCE_S = 5 * 60;

/** Prefixes of the id, timestamp and signature headers: of Standard Webhooks and of Svix. */
const HEADER_FAMILIES = ["webhook", "svix"] as const;

/**
 * Whether a webhook was signed with `secret` (`whsec_` and base64) shortly before or after `nowMs`. Where it carries
 * both header families, both must hold: a receiver may read either. A secret that is not base64 verifies nothing.
 * The signature comes from the package `standardwebhooks` and not from the code that signs, so that an error in one does
 * not hide in the other. The package's own `verify` would compare timestamps with real time, not with `nowMs`.
 */
export function isSigned(webhook: ReceivedWebhook, secret: string, nowMs: number): boolean {
  const signer = signerFor(secret);
  const families = HEADER_FAMILIES.filter((family) => webhook.headers[`${family}-signature`] !== undefined);
  if (!signer || families.length === 0) return false;
  return families.every((family) => holds(family, webhook, signer, nowMs));
}

function signerFor(secret: string): Webhook | undefined {
  try {
    return new Webhook(secret);
  } catch {
    return undefined;
  }
}

function holds(family: string, { headers, body }: ReceivedWebhook, signer: Webhook, nowMs: number): boolean {
  const id = headers[`${family}-id`] ?? "";
  const timestamp = headers[`${family}-timestamp`] ?? "";
  const signatures = headers[`${family}-signature`] ?? "";
  if (id === "" || !/^\d+$/.test(timestamp)) return false;
  const timestampS = Number(timestamp);
  if (Math.abs(nowMs / 1000 - timestampS) > TOLERANCE_S) return false;
  const expected = signer.sign(id, new Date(timestampS * 1000), body);
  return signatures.split(" ").some((signature) => areEqual(signature, expected));
}

function areEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
