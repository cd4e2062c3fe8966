import http from "node:http";
import https from "node:https";
import { webhookHeaderFamilies } from "../contract/dialect.ts";
import { signWebhook } from "../crypto/webhook-signature.ts";
import { ATTEMPT_TIMEOUT_MS } from "../events/delivery.ts";
import { resolveForEgress } from "./egress.ts";
import { ports } from "./ports.ts";

/** A webhook to send: the event's id and body, and the secrets it is signed with. */
export interface OutgoingWebhook {
  readonly url: string;
  readonly id: string;
  readonly body: string;
  readonly secrets: readonly string[];
}

/** What came of an attempt; `status` is 0 when there was no answer at all. */
export interface AttemptResult {
  readonly status: number;
  readonly durationMs: number;
}

/** Sends one signed webhook. Never throws: whatever goes wrong is an attempt without an answer. Redirects are not followed. */
export async function postWebhook(webhook: OutgoingWebhook): Promise<AttemptResult> {
  const startedAt = performance.now();
  const status = await ports()
    .outbound(() => post(webhook))
    .catch(() => 0);
  return { status, durationMs: Math.round(performance.now() - startedAt) };
}

async function post({ url: text, id, body, secrets }: OutgoingWebhook): Promise<number> {
  const url = new URL(text);
  const { address, family } = await resolveForEgress(url);
  const content = Buffer.from(body, "utf8");
  const options = {
    method: "POST",
    headers: {
      ...signedHeaders(id, body, secrets),
      "content-type": "application/json",
      "content-length": content.length,
    },
    // The address that was checked is the one that is connected to, whatever the name resolves to now.
    lookup: (_host: string, _options: object, done: (error: null, address: string, family: number) => void) =>
      done(null, address, family),
    signal: AbortSignal.timeout(ATTEMPT_TIMEOUT_MS),
    agent: false as const,
  };
  return new Promise((resolve, reject) => {
    const request = (url.protocol === "https:" ? https : http).request(url, options, (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    request.on("error", reject);
    request.end(content);
  });
}

function signedHeaders(id: string, body: string, secrets: readonly string[]): Record<string, string> {
  const timestampS = Math.floor(ports().clock.now() / 1000);
  const signature = signWebhook(secrets, id, timestampS, body);
  const entries = webhookHeaderFamilies.flatMap((family) => [
    [`${family}-id`, id],
    [`${family}-timestamp`, String(timestampS)],
    [`${family}-signature`, signature],
  ]);
  return Object.fromEntries(entries);
}
