import { timingSafeEqual } from "node:crypto";
import { Webhook } from "standardwebhooks";

/** A received webhook: lower-case header names, and the exact body, whose bytes are signed. */
export interface ReceivedWebhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Maximum difference between the timestamp and the receiver's clock (Standard Webhooks, "Verifying"). */
const TOLERANCE_S = 5 * 60;

/** Prefixes of the id, timestamp and signature headers of Standard Webhooks and of Svix. */
const HEADER_FAMILIES = ["webhook", "svix"] as const;

/**
 * Whether a webhook is signed with `secret` (`whsec_` and base64) and its timestamp is close to `nowMs`. When it
 * carries both header families, both must be valid, because a receiver may read either. A secret that is not base64 is
 * never valid. The package `standardwebhooks` computes the signature, not the code that signs, so an error in one
 * cannot hide in the other. The package's `verify` would compare timestamps with real time instead of `nowMs`.
 */
export function hasValidSignature(webhook: ReceivedWebhook, secret: string, nowMs: number): boolean {
  const signer = createSigner(secret);
  const families = HEADER_FAMILIES.filter((family) => webhook.headers[`${family}-signature`] !== undefined);
  if (!signer || families.length === 0) return false;
  return families.every((family) => isFamilyValid(family, webhook, signer, nowMs));
}

function createSigner(secret: string): Webhook | undefined {
  try {
    return new Webhook(secret);
  } catch {
    return undefined;
  }
}

function isFamilyValid(family: string, { headers, body }: ReceivedWebhook, signer: Webhook, nowMs: number): boolean {
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
