import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { webhookHeaderFamilies } from "../../contract/compatibility.ts";
import { signWebhook } from "../../crypto/webhook-signature.ts";
import { ATTEMPT_TIMEOUT_MS, type AttemptError } from "../../events/webhooks/delivery.ts";
import { isCustomHeader, maskSensitiveValues } from "../../events/webhooks/webhook-headers.ts";
import { EgressRefused, isGlobalAddress, resolveForEgress } from "../../runtime/egress.ts";
import { ports } from "../../runtime/ports.ts";

/** A webhook request: the event's id and body, and the signing secrets. */
export interface OutgoingWebhook {
  readonly url: string;
  readonly id: string;
  readonly body: string;
  readonly secrets: readonly string[];
  /** Fencing token. Increases with every attempt of the same endpoint and ordering key. */
  readonly version: number;
  /** W3C Trace Context of the attempt. */
  readonly traceparent?: string | undefined;
  /** The endpoint's own headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
  /** The attributes of a CloudEvent in the binary mode, as headers. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** The result of an attempt. */
export interface AttemptResult {
  /** HTTP status; 0 without a complete response. */
  readonly status: number;
  readonly durationMs: number;
  /** The start of the response body. */
  readonly response: string;
  readonly error: AttemptError | null;
  readonly retryAfter?: string | undefined;
}

/** The progress of an attempt: whether the request may have reached the receiver. */
interface Progress {
  isConnected: boolean;
}

/** Maximum bytes read of a response. */
const MAX_READ_BYTES = 16 * 1024;
/** Maximum bytes stored of a response. */
const MAX_STORED_BYTES = 1024;
/** Maximum number of interim responses (1xx). Each may have as many headers as a final one. */
const MAX_INTERIM_ANSWERS = 8;

/**
 * Sends one signed webhook. Never throws: an error becomes an attempt without a response. Does not follow redirects,
 * use proxies or decompress. The timeout covers connecting, headers and body.
 */
export async function postWebhook(webhook: OutgoingWebhook): Promise<AttemptResult> {
  const startedAt = performance.now();
  const result = await ports()
    .outbound(() => exchange(webhook))
    // With an injected fault it is unknown whether the request was sent.
    .catch(() => ({ status: 0, response: "", error: "broken" as const }));
  return { ...result, durationMs: Math.round(performance.now() - startedAt) };
}

async function exchange(webhook: OutgoingWebhook): Promise<Omit<AttemptResult, "durationMs">> {
  const deadline = AbortSignal.timeout(ATTEMPT_TIMEOUT_MS);
  const progress = { isConnected: false };
  try {
    const response = await request(webhook, deadline, progress);
    const text = await readResponseStart(response, webhook.headers);
    return {
      status: response.statusCode ?? 0,
      response: text,
      error: null,
      retryAfter: response.headers["retry-after"],
    };
  } catch (error) {
    return { status: 0, response: "", error: classifyError(error, deadline, progress) };
  }
}

function classifyError(error: unknown, deadline: AbortSignal, { isConnected }: Progress): AttemptError {
  // Node throws a TypeError for an invalid URL or header.
  if (error instanceof EgressRefused || error instanceof TypeError) return "refused";
  if (!isConnected) return "unreachable";
  return deadline.aborted ? "timeout" : "broken";
}

async function request(webhook: OutgoingWebhook, deadline: AbortSignal, progress: Progress): Promise<IncomingMessage> {
  const url = new URL(webhook.url);
  const { address } = await Promise.race([resolveForEgress(url), rejectionAt(deadline)]);
  const content = Buffer.from(webhook.body, "utf8");
  const options = {
    method: "POST",
    // Connect to the checked address: another lookup could return another one.
    hostname: address,
    servername: url.hostname,
    headers: { ...signedHeaders(webhook), host: url.host, "content-length": content.length },
    signal: deadline,
    agent: false as const,
  };
  const isSecure = url.protocol === "https:";
  return new Promise((resolve, reject) => {
    const sending = (isSecure ? https : http).request(url, options, resolve);
    sending.on("error", reject);
    // A connection can close without a response or an error, for example after 101 Switching Protocols.
    sending.on("close", () => reject(new Error("the connection ended without an answer")));
    let interim = 0;
    sending.on("information", () => {
      interim += 1;
      if (interim <= MAX_INTERIM_ANSWERS) return;
      // Ignore a response that arrived together with them.
      reject(new Error("too many interim responses"));
      sending.destroy();
    });
    sending.on("socket", (socket) => {
      socket.once("connect", () => requireCheckedAddress(socket, address));
      socket.once(isSecure ? "secureConnect" : "connect", () => {
        progress.isConnected = true;
      });
    });
    sending.end(content);
  });
}

/** Destroys a connection to any address but the checked one, unless it is global. */
function requireCheckedAddress(socket: Socket, checked: string): void {
  const { remoteAddress = "" } = socket;
  if (remoteAddress !== checked && !isGlobalAddress(remoteAddress))
    socket.destroy(new EgressRefused("the connection leads to another address"));
}

function rejectionAt(deadline: AbortSignal): Promise<never> {
  return new Promise((_, reject) => deadline.addEventListener("abort", () => reject(deadline.reason), { once: true }));
}

/** Reads the start of a response as text and masks sensitive header values. Does not read the rest. */
async function readResponseStart(response: IncomingMessage, headers: OutgoingWebhook["headers"]): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response) {
    parts.push(part);
    size += part.length;
    if (size >= MAX_READ_BYTES) break;
  }
  // Mask before truncating, which could leave half of a secret unmasked.
  const masked = maskSensitiveValues(Buffer.concat(parts).subarray(0, MAX_READ_BYTES).toString("utf8"), headers);
  // Stream mode drops a character that the truncation splits.
  return new TextDecoder().decode(Buffer.from(masked).subarray(0, MAX_STORED_BYTES), { stream: true });
}

/** Returns the endpoint's own headers, and those of the service, which take precedence. */
function signedHeaders(webhook: OutgoingWebhook): Record<string, string> {
  const { id, body, secrets, version, traceparent, headers, contentType, attributes } = webhook;
  const timestampS = Math.floor(ports().clock.now() / 1000);
  const signature = signWebhook(secrets, id, timestampS, body);
  const signed = webhookHeaderFamilies.flatMap((family) => [
    [`${family}-id`, id],
    [`${family}-timestamp`, String(timestampS)],
    [`${family}-signature`, signature],
    [`${family}-version`, String(version)],
  ]);
  const own = Object.entries(headers).filter(([name]) => isCustomHeader(name));
  const trace = traceparent === undefined ? [] : [["traceparent", traceparent]];
  return Object.fromEntries([
    ...own,
    ...Object.entries(attributes),
    ...trace,
    ...signed,
    ["content-type", contentType],
  ]);
}
