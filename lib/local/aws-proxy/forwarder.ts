import { Agent, type IncomingMessage, request as sendRequest } from "node:http";
import type { AwsResponse } from "./aws-error.ts";
import { type AwsRequest, CALLER_HEADER, CALLER_KEY_HEADER, readAllBytes } from "./aws-request.ts";

/** Hop-by-hop headers (RFC 9110 section 7.6.1), and headers that the forwarder sets. */
const HOP_BY_HOP_HEADERS = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "expect",
  "host",
  "accept-encoding",
  CALLER_HEADER,
  CALLER_KEY_HEADER,
]);

/** Forwards requests to an HTTP engine over persistent connections. */
export class HttpForwarder {
  readonly #origin: string;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #headers: Readonly<Record<string, string>>;

  /**
   * @param origin for example `http://127.0.0.1:8000`
   * @param headers added to every request; they replace headers of the same name.
   */
  constructor(origin: string, headers: Readonly<Record<string, string>> = {}) {
    this.#origin = origin;
    this.#headers = headers;
  }

  /** Forwards a request. @param body replaces the request's body. @throws Error when the engine is unreachable. */
  async send({ method, path, headers, raw }: AwsRequest, body: Buffer = raw): Promise<AwsResponse> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = { ...forwardedHeaders(headers), ...this.#headers, "content-length": body.length };
      const options = { method, agent: this.#agent, headers: sent };
      sendRequest(new URL(path, this.#origin), options, resolve).on("error", reject).end(body);
    });
    return {
      status: response.statusCode ?? 500,
      headers: forwardedHeaders(response.headers),
      body: await readAllBytes(response),
    };
  }

  /** Closes all connections. */
  close(): void {
    this.#agent.destroy();
  }
}

/** Whether a header is forwarded. */
export const isForwardedHeader = (name: string): boolean => !HOP_BY_HOP_HEADERS.has(name);

function forwardedHeaders(headers: IncomingMessage["headers"]): IncomingMessage["headers"] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isForwardedHeader(name)));
}
