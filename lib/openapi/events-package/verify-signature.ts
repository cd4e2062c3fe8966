/** Why a webhook was refused. */
export type WebhookErrorCode =
  | "missing_header"
  | "invalid_header"
  | "invalid_secret"
  | "timestamp_out_of_tolerance"
  | "signature_mismatch"
  | "invalid_body";

/** A webhook that must not be processed. Answer it with 401. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Headers of a request: those of the Fetch standard, or an object as Node has it. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Maximum age of a request, and maximum time in the future, in seconds. The default is 300. */
  readonly toleranceSeconds?: number;
  /** Current time, for tests. */
  readonly now?: Date;
}

/** Prefixes of the header families. A request has both. */
const FAMILIES = ["webhook", "svix"] as const;
const DEFAULT_TOLERANCE_SECONDS = 300;
/** Maximum number of signatures in a header. The service sends one for each secret of a rotation. */
const MAX_SIGNATURES = 20;

/**
 * Verifies the signature of a webhook, as Standard Webhooks specifies it.
 * @param payload the raw body as received. A body that was parsed and serialized has another signature.
 * @param secrets signing secrets; a request is valid if it is signed with one of them.
 * @returns the parsed body. @throws WebhookVerificationError with the reason.
 */
export async function verifySignature(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, now = new Date() }: VerifyOptions = {},
): Promise<unknown> {
  const { id, timestamp, signature } = readHeaders(headers);
  checkTimestamp(timestamp, toleranceSeconds, now);
  const body = typeof payload === "string" ? payload : new TextDecoder().decode(payload);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signatures = parseSignatures(signature);
  for (const secret of typeof secrets === "string" ? [secrets] : secrets) {
    const key = await importSecret(secret);
    for (const one of signatures) {
      // Compares in constant time.
      if (await crypto.subtle.verify("HMAC", key, one, signed)) return parseBody(body);
    }
  }
  throw new WebhookVerificationError("signature_mismatch", "No signature matches the secret");
}

/** Reads the three headers of one family. Headers of two families are never mixed. */
function readHeaders(headers: WebhookHeaders): { id: string; timestamp: string; signature: string } {
  for (const family of FAMILIES) {
    const [id, timestamp, signature] = ["id", "timestamp", "signature"].map((part) =>
      readHeader(headers, `${family}-${part}`),
    );
    if (id && timestamp && signature) return { id, timestamp, signature };
  }
  throw new WebhookVerificationError("missing_header", "The request lacks the headers of a webhook");
}

function readHeader(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === "function") return headers.get(name) ?? undefined;
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() === name) return Array.isArray(value) ? value[0] : String(value ?? "");
  }
  return undefined;
}

function checkTimestamp(timestamp: string, toleranceSeconds: number, now: Date): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError("invalid_header", "The timestamp is not a number of seconds");
  }
  if (!(Math.abs(now.getTime() / 1000 - Number(timestamp)) <= toleranceSeconds)) {
    throw new WebhookVerificationError("timestamp_out_of_tolerance", "The request is too old or in the future");
  }
}

/** Signatures of version 1. Others are of versions that this package does not know. */
function parseSignatures(header: string): Uint8Array<ArrayBuffer>[] {
  const found = header.split(" ").slice(0, MAX_SIGNATURES);
  return found.flatMap((one) => (one.startsWith("v1,") ? (decodeBase64(one.slice(3)) ?? []) : []));
}

async function importSecret(secret: string) {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ""));
  if (bytes === undefined || bytes.length === 0) {
    throw new WebhookVerificationError("invalid_secret", "The secret is not the base64 text that the service shows");
  }
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new WebhookVerificationError("invalid_body", "The body is not JSON");
  }
}
