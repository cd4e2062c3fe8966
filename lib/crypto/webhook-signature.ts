import { createHmac } from "node:crypto";

/**
 * Signs a webhook as Standard Webhooks specifies: HMAC-SHA256 over `id.timestamp.body`, keyed with the bytes after
 * `whsec_`.
 * @param timestampS epoch seconds of the attempt.
 * @returns the signature header: one `v1,<base64>` for each secret (two during a rotation).
 */
export function signWebhook(secrets: readonly string[], id: string, timestampS: number, body: string): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
      return `v1,${createHmac("sha256", key).update(`${id}.${timestampS}.${body}`).digest("base64")}`;
    })
    .join(" ");
}

/** Generates a signing secret: `whsec_` and 32 random bytes in base64. */
export function generateWebhookSecret(bytes: (length: number) => Buffer): string {
  return `whsec_${bytes(32).toString("base64")}`;
}
