import { validateHeaderName, validateHeaderValue } from "node:http";
import * as z from "zod";

/** A response of the gateway. Header names are lower-case. */
export interface GatewayResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Buffer;
}

const JSON_TYPE = { "content-type": "application/json" };

/** Codes of the errors of the gateway itself, by status. */
export const gatewayErrorCodes: Readonly<Record<number, string>> = {
  400: "bad_request",
  404: "route_not_found",
  413: "body_too_large",
  500: "internal_error",
  503: "unavailable",
};

/**
 * An error response of the gateway itself: the `message` of AWS and the fields of the service's errors, so that clients
 * read one format. (In AWS errors of the gateway, such as for a body over 10 MB, have only the message.)
 */
export function toErrorResponse(status: number, message: string, requestId: string): GatewayResponse {
  const error = { detail: message, code: gatewayErrorCodes[status], request_id: requestId };
  return { status, headers: JSON_TYPE, body: JSON.stringify({ message, ...error }) };
}

const functionResult = z.object({
  statusCode: z.int().min(200).max(599),
  headers: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullish(),
  cookies: z.array(z.string()).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

/** Headers of message framing. The gateway sets them and ignores those of a function. */
const FRAMING_HEADERS = new Set(["connection", "content-length", "keep-alive", "transfer-encoding", "upgrade"]);

/**
 * Converts a function's result in payload format 2.0. A result without a status code becomes a 200 with JSON body.
 * @throws Error for a malformed result. The client then gets "Internal Server Error".
 */
export function toGatewayResponse(result: unknown): GatewayResponse {
  if (typeof result !== "object" || result === null || !("statusCode" in result)) {
    return {
      status: 200,
      headers: JSON_TYPE,
      body: typeof result === "string" ? result : JSON.stringify(result ?? null),
    };
  }
  const { statusCode, headers, cookies, body, isBase64Encoded } = functionResult.parse(result);
  const named = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  const kept = named.filter(([name]) => !FRAMING_HEADERS.has(name));
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
