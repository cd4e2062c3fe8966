import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { webhookHeaderFamilies } from "../contract/dialect.ts";
import { signWebhook } from "../crypto/webhook-signature.ts";
import { ATTEMPT_TIMEOUT_MS, type AttemptError } from "../events/delivery.ts";
import { isFreeHeader, maskSensitive } from "../events/webhook-headers.ts";
import { EgressRefused, isGlobalAddress, resolveForEgress } from "./egress.ts";
import { ports } from "./ports.ts";

/** A webhook to send: the event's id and body, and the secrets it is signed with. */
export interface OutgoingWebhook {
  readonly url: string;
  readonly id: string;
  readonly body: string;
  readonly secrets: readonly string[];
  /** Grows with every attempt at the endpoint that could overwrite, or be overwritten by, this one. */
  readonly version: number;
  /** The endpoint's own headers. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What came of an attempt. */
export interface AttemptResult {
  /** 0 where there was no complete answer. */
  readonly status: number;
  readonly durationMs: number;
  /** The beginning of the answer's body. */
  readonly response: string;
  readonly error: AttemptError | null;
  readonly retryAfter?: string | undefined;
}

/** How far an attempt came: whether the request may have reached the receiver. */
interface Progress {
  isConnected: boolean;
}

/** No more than this is read of an answer. */
const MOST_READ_BYTES = 16 * 1024;
/** No more than this is kept of it. */
const MOST_KEPT_BYTES = 1024;
/** Interim answers (1xx) that may come before it; each may have as many headers as an answer. */
const MOST_INTERIM_ANSWERS = 8;

/**
 * Sends one signed webhook. Never throws: whatever goes wrong is an attempt without an answer. Redirects are not followed,
 * no proxy is asked, nothing is decompressed; the timeout is over connecting, headers and body.
 */
export async function postWebhook(webhook: OutgoingWebhook): Promise<AttemptResult> {
  const startedAt = performance.now();
  const result = await ports()
    .outbound(() => exchange(webhook))
    // A runner that makes the call fail does not say whether it went out.
    .catch(() => ({ status: 0, response: "", error: "broken" as const }));
  return { ...result, durationMs: Math.round(performance.now() - startedAt) };
}

async function exchange(webhook: OutgoingWebhook): Promise<Omit<AttemptResult, "durationMs">> {
  const deadline = AbortSignal.timeout(ATTEMPT_TIMEOUT_MS);
  const progress = { isConnected: false };
  try {
    const response = await request(webhook, deadline, progress);
    const text = await beginningOf(response, webhook.headers);
    return {
      status: response.statusCode ?? 0,
      response: text,
      error: null,
      retryAfter: response.headers["retry-after"],
    };
  } catch (error) {
    return { status: 0, response: "", error: kindOf(error, deadline, progress) };
  }
}

function kindOf(error: unknown, deadline: AbortSignal, { isConnected }: Progress): AttemptError {
  // A URL or header that can not be sent at all is a TypeError.
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
    // The address that was checked is the one that is connected to, whatever the name resolves to now.
    hostname: address,
    servername: url.hostname,
    headers: { ...headersOf(webhook), host: url.host, "content-length": content.length },
    signal: deadline,
    agent: false as const,
  };
  const isSecure = url.protocol === "https:";
  return new Promise((resolve, reject) => {
    const sending = (isSecure ? https : http).request(url, options, resolve);
    sending.on("error", reject);
    // A connection may end without an answer and without an error, for one after an offer of another protocol (101).
    sending.on("close", () => reject(new Error("the connection ended without an answer")));
    let interim = 0;
    sending.on("information", () => {
      interim += 1;
      if (interim <= MOST_INTERIM_ANSWERS) return;
      // An answer that came along with them does not count.
      reject(new Error("too many interim answers"));
      sending.destroy();
    });
    sending.on("socket", (socket) => {
      socket.once("connect", () => refuseOthers(socket, address));
      socket.once(isSecure ? "secureConnect" : "connect", () => {
        progress.isConnected = true;
      });
    });
    sending.end(content);
  });
}

/** Ends a connection that leads somewhere else than to the address that was checked. */
function refuseOthers(socket: Socket, checked: string): void {
  const { remoteAddress = "" } = socket;
  if (remoteAddress !== checked && !isGlobalAddress(remoteAddress))
    socket.destroy(new EgressRefused("the connection leads to another address"));
}

function rejectionAt(deadline: AbortSignal): Promise<never> {
  return new Promise((_, reject) => deadline.addEventListener("abort", () => reject(deadline.reason), { once: true }));
}

/** The first bytes of an answer, as text without values of headers that let somebody in; the rest is not read. */
async function beginningOf(response: IncomingMessage, headers: OutgoingWebhook["headers"]): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response) {
    parts.push(part);
    size += part.length;
    if (size >= MOST_READ_BYTES) break;
  }
  // Masked before the cut, which could leave half of a value.
  const masked = maskSensitive(Buffer.concat(parts).subarray(0, MOST_READ_BYTES).toString("utf8"), headers);
  // Streaming leaves out a character that the cut goes through.
  return new TextDecoder().decode(Buffer.from(masked).subarray(0, MOST_KEPT_BYTES), { stream: true });
}

/** The endpoint's own headers, then ours, which theirs can not replace. */
function headersOf({ id, body, secrets, version, headers }: OutgoingWebhook): Record<string, string> {
  const timestampS = Math.floor(ports().clock.now() / 1000);
  const signature = signWebhook(secrets, id, timestampS, body);
  const signed = webhookHeaderFamilies.flatMap((family) => [
    [`${family}-id`, id],
    [`${family}-timestamp`, String(timestampS)],
    [`${family}-signature`, signature],
    [`${family}-version`, String(version)],
  ]);
  const own = Object.entries(headers).filter(([name]) => isFreeHeader(name));
  return Object.fromEntries([...own, ...signed, ["content-type", "application/json"]]);
}
