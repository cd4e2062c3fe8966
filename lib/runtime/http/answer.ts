import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { FHIR_MEDIA_TYPE } from "../../contract/fhir-paths.ts";
import { ApiError } from "../errors.ts";

interface AnswerOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly isFile?: boolean;
  readonly cookies?: readonly string[];
}

/** An answer with its own status, headers or text. Most functions return the body object instead. */
export class Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The body: JSON text or other content; base64 if `isFile`. */
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

/** Returns a FHIR resource as an answer. */
export function fhirAnswer(resource: { readonly resourceType: string }): Answer {
  return new Answer(JSON.stringify(resource), { headers: { "content-type": FHIR_MEDIA_TYPE } });
}

/** Returns a PDF document as an inline answer. @param name file name for saving. */
export function pdfAnswer(content: Uint8Array, name: string): Answer {
  const headers = { "content-type": "application/pdf", "content-disposition": `inline; filename="${name}"` };
  return new Answer(Buffer.from(content).toString("base64"), { headers, isFile: true });
}

const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

/**
 * Default security headers. Caches keep no copy of personal data (RFC 9111 section 5.2.2.5). Browsers do not sniff
 * content types (Fetch standard) and use TLS from then on (RFC 6797; browsers ignore the header over plain HTTP).
 */
const securityHeaders = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "strict-transport-security": "max-age=31536000",
};
/** The headers of every answer. */
export const commonHeaders = (requestId: string) => ({ ...securityHeaders, "x-request-id": requestId });

/** Renders the result of a function. @param status the success status of the contract. */
export function renderAnswer(result: unknown, status: number, requestId: string): APIGatewayProxyStructuredResultV2 {
  const isEmpty = result instanceof Answer && result.text === "";
  const headers = { ...(isEmpty ? {} : JSON_TYPE), ...commonHeaders(requestId) };
  if (result instanceof Answer) {
    const answer = {
      statusCode: result.status ?? status,
      headers: { ...headers, ...result.headers },
      body: result.text,
      ...(result.cookies.length > 0 && { cookies: [...result.cookies] }),
    };
    return result.isFile ? { ...answer, isBase64Encoded: true } : answer;
  }
  if (result === undefined) return { statusCode: status, headers: commonHeaders(requestId), body: "" };
  return { statusCode: status, headers, body: JSON.stringify(result) };
}

/** Renders an error as `{detail, code, request_id}` plus the error's own keys. */
export function renderError(error: ApiError, requestId: string): APIGatewayProxyStructuredResultV2 {
  const { status, code } = error.kind;
  return {
    statusCode: status,
    headers: { ...JSON_TYPE, ...commonHeaders(requestId), ...error.headers },
    body: JSON.stringify({ detail: error.detail, code, request_id: requestId, ...error.extra }),
  };
}

/** The answer to an unexpected error. The caller learns the request id only. */
export function internalError(): ApiError {
  return new ApiError("The service failed to process this request. Include the request id when you contact support.");
}
