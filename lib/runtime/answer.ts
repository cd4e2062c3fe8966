import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { ApiError } from "./errors.ts";

interface AnswerOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly isFile?: boolean;
  readonly cookies?: readonly string[];
}

/** An answer with a status, headers or ready-made text of its own; most functions just return the body object. */
export class Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as JSON text or other content, written by the function itself; base64 where it is a file. */
  readonly text: string;
  readonly isFile: boolean;
  /** Values of `set-cookie`. */
  readonly cookies: readonly string[];

  constructor(text: string, options: AnswerOptions = {}) {
    this.text = text;
    this.isFile = options.isFile ?? false;
    this.cookies = options.cookies ?? [];
    this.status = options.status;
    this.headers = options.headers ?? {};
  }
}

/** A PDF document as an answer. @param name under which readers save it. */
export function pdfAnswer(content: Uint8Array, name: string): Answer {
  const headers = { "content-type": "application/pdf", "content-disposition": `inline; filename="${name}"` };
  return new Answer(Buffer.from(content).toString("base64"), { headers, isFile: true });
}

const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

/**
 * What every answer asks of caches and browsers unless a function says otherwise: to keep no copy of personal data
 * (RFC 9111 section 5.2.2.5), to take content for nothing but its type (Fetch standard), and to come by TLS alone from
 * then on (RFC 6797; browsers ignore it where they came without).
 */
const protections = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "strict-transport-security": "max-age=31536000",
};
const headersOf = (requestId: string) => ({ ...protections, "x-request-id": requestId });

/** Renders what a function returned. @param status the status of the contract. */
export function renderAnswer(result: unknown, status: number, requestId: string): APIGatewayProxyStructuredResultV2 {
  const isEmpty = result instanceof Answer && result.text === "";
  const headers = { ...(isEmpty ? {} : JSON_TYPE), ...headersOf(requestId) };
  if (result instanceof Answer) {
    const answer = {
      statusCode: result.status ?? status,
      headers: { ...headers, ...result.headers },
      body: result.text,
      ...(result.cookies.length > 0 && { cookies: [...result.cookies] }),
    };
    return result.isFile ? { ...answer, isBase64Encoded: true } : answer;
  }
  if (result === undefined) return { statusCode: status, headers: headersOf(requestId), body: "" };
  return { statusCode: status, headers, body: JSON.stringify(result) };
}

/** Renders an error in the one error shape: `{detail, code, request_id}` and the error's own keys. */
export function renderError(error: ApiError, requestId: string): APIGatewayProxyStructuredResultV2 {
  const { status, code } = error.kind;
  return {
    statusCode: status,
    headers: { ...JSON_TYPE, ...headersOf(requestId), ...error.headers },
    body: JSON.stringify({ detail: error.detail, code, request_id: requestId, ...error.extra }),
  };
}

/** The answer to an error nobody foresaw: the request id is all the caller gets to know. */
export function unforeseen(): ApiError {
  return new ApiError("The service failed to answer this request. Quote the request id when you ask about it.");
}
