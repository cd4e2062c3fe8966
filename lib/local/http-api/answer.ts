import { validateHeaderName, validateHeaderValue } from "node:http";
import * as z from "zod";

/** What the gateway sends to the client; header names are lower-case. */
export interface GatewayAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Buffer;
}

const JSON_TYPE = { "content-type": "application/json" };

const codes: Readonly<Record<number, string>> = {
  400: "bad_request",
  404: "route_not_found",
  413: "body_too_large",
  500: "internal_error",
  503: "unavailable",
};

/**
 * An answer of the gateway itself: `message` as AWS words it, and beside it the keys of the service's own errors, so that
 * a client reads one shape. (In AWS the gateway's own refusals, such as a body over 10 MB, have the message alone.)
 */
export function messageAnswer(status: number, message: string, requestId: string): GatewayAnswer {
  const error = { detail: message, code: codes[status], request_id: requestId };
  return { status, headers: JSON_TYPE, body: JSON.stringify({ message, ...error }) };
}

const structured = z.object({
  statusCode: z.int().min(200).max(599),
  headers: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullish(),
  cookies: z.array(z.string()).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

/** The gateway frames the answer itself; a function has no say in these. */
const FRAMING = new Set(["connection", "content-length", "keep-alive", "transfer-encoding", "upgrade"]);

/**
 * Reads what a function returned, in payload format 2.0. A result without a status is the body of a 200 in JSON.
 * @throws Error for a malformed result: the client is then told "Internal Server Error".
 */
export function toAnswer(result: unknown): GatewayAnswer {
  if (typeof result !== "object" || result === null || !("statusCode" in result)) {
    return {
      status: 200,
      headers: JSON_TYPE,
      body: typeof result === "string" ? result : JSON.stringify(result ?? null),
    };
  }
  const { statusCode, headers, cookies, body, isBase64Encoded } = structured.parse(result);
  const named = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  const kept = named.filter(([name]) => !FRAMING.has(name));
  for (const [name, value] of [...kept, ...(cookies ?? []).map((cookie) => ["set-cookie", cookie] as const)]) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  return {
    status: statusCode,
    headers: {
      "content-type": "text/plain;charset=UTF-8",
      ...Object.fromEntries(kept),
      ...(cookies?.length ? { "set-cookie": cookies } : {}),
    },
    body: isBase64Encoded ? Buffer.from(body ?? "", "base64") : (body ?? ""),
  };
}
