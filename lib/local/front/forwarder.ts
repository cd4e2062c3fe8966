import { Agent, type IncomingMessage, request as sendRequest } from "node:http";
import type { Answer } from "./aws-error.ts";
import { type AwsRequest, CALLER_HEADER, CALLER_KEY_HEADER, readBody } from "./aws-request.ts";

/** Hop-by-hop headers (RFC 9110 section 7.6.1), and headers that the forwarder sets. */
const ownHeaders = new Set([
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
export class Forwarder {
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
  async send({ method, path, headers, raw }: AwsRequest, body: Buffer = raw): Promise<Answer> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = { ...without(headers), ...this.#headers, "content-length": body.length };
      const options = { method, agent: this.#agent, headers: sent };
      sendRequest(new URL(path, this.#origin), options, resolve).on("error", reject).end(body);
    });
    return { status: response.statusCode ?? 500, headers: without(response.headers), body: await readBody(response) };
  }

  /** Closes all connections. */
  close(): void {
    this.#agent.destroy();
  }
}

/** Whether a header is forwarded. */
export const isPassedOn = (name: string): boolean => !ownHeaders.has(name);

function without(headers: IncomingMessage["headers"]): IncomingMessage["headers"] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isPassedOn(name)));
}
