import { EventEmitter } from "node:events";
import http, { type OutgoingHttpHeaders } from "node:http";
import type { AwsResponse } from "../aws-proxy/aws-error.ts";
import { CALLER_HEADER, type IncomingRequest } from "../aws-proxy/aws-request.ts";

/** Answers requests to an origin within this process. */
export interface InProcessEndpoint {
  /** For example `http://127.0.0.1:4566`. */
  readonly origin: string;
  /** Name of the function that makes the request, if any. Called once per request. */
  readonly currentCaller: () => string | undefined;
  /** Handles a request, outside the context of any function. */
  readonly answer: (request: IncomingRequest) => Promise<AwsResponse>;
}

/** The options that SDK clients pass to `http.request`. */
interface RequestOptions {
  readonly host: string;
  readonly port?: number;
  readonly method: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
}
type ResponseListener = (response: InProcessResponse) => void;

const endpoints = new Map<string, InProcessEndpoint>();

/**
 * Answers requests of SDK clients to an origin within this process. Socket transfer and HTTP parsing are most of the
 * cost of a call. Requests without `X-Amz-Target` (those of S3, which may be streams) still use HTTP.
 * @returns a function that ends the interception.
 */
export function interceptRequests(door: InProcessEndpoint): () => void {
  const place = new URL(door.origin).host;
  endpoints.set(place, door);
  patchHttpRequest();
  return () => void endpoints.delete(place);
}

let isPatched = false;

/** Replaces `http.request` once and permanently, because SDK clients keep a reference to it. */
function patchHttpRequest(): void {
  if (isPatched) return;
  isPatched = true;
  const overHttp = http.request;
  const request = (...sent: unknown[]): unknown => {
    const [options, onResponse] = sent;
    const door = isAwsRequest(options) ? endpoints.get(`${options.host}:${options.port}`) : undefined;
    if (door && isAwsRequest(options)) return new InProcessRequest(door, options, onResponse as ResponseListener);
    return Reflect.apply(overHttp, http, sent);
  };
  Object.assign(http, { request });
}

function isAwsRequest(options: unknown): options is RequestOptions {
  const { host, port, headers } = (options ?? {}) as Partial<RequestOptions>;
  return host !== undefined && port !== undefined && headers?.["x-amz-target"] !== undefined;
}

/** The part of Node's `ClientRequest` that SDK clients use. */
class InProcessRequest extends EventEmitter {
  readonly #door: InProcessEndpoint;
  readonly #options: RequestOptions;
  readonly #caller: string | undefined;
  readonly #onResponse: ResponseListener;
  #isDestroyed = false;

  constructor(door: InProcessEndpoint, options: RequestOptions, onResponse: ResponseListener) {
    super();
    this.#door = door;
    this.#options = options;
    this.#onResponse = onResponse;
    this.#caller = door.currentCaller();
  }

  end(body: string | Buffer = ""): this {
    const { method, path } = this.#options;
    const arrived = { method, path, headers: this.#headers(), raw: Buffer.from(body) };
    this.#door.answer(arrived).then(
      (answer) => this.#respond(answer),
      (error) => this.emit("error", error),
    );
    return this;
  }

  destroy(): this {
    this.#isDestroyed = true;
    this.emit("close");
    return this;
  }

  #headers(): Record<string, string> {
    const sent = Object.entries(this.#options.headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
    const caller = this.#caller === undefined ? [] : [[CALLER_HEADER, this.#caller]];
    return Object.fromEntries([...sent, ...caller]);
  }

  #respond(answer: AwsResponse): void {
    if (this.#isDestroyed) return;
    this.#onResponse(toInProcessResponse(answer));
    this.emit("close");
  }
}

/**
 * A response for SDK clients. They read status and headers, then collect the body, and accept bytes in place of a
 * stream. A stream would cost more than the rest of the local cloud's work for most requests.
 */
type InProcessResponse = Uint8Array & { readonly statusCode: number; readonly headers: Record<string, string> };

function toInProcessResponse({ status, headers, body }: AwsResponse): InProcessResponse {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  // A new view, because SDK clients change the prototype of the bytes.
  const bytes = new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  return Object.assign(bytes, {
    statusCode: status,
    headers: Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), String(value)])),
  });
}
