import { EventEmitter } from "node:events";
import http, { type OutgoingHttpHeaders } from "node:http";
import type { Answer } from "../front/aws-error.ts";
import { type ArrivedRequest, CALLER_HEADER } from "../front/aws-request.ts";

/** Answers requests to an origin within this process. */
export interface Door {
  /** For example `http://127.0.0.1:4566`. */
  readonly origin: string;
  /** Name of the function that makes the request, if any. Called once per request. */
  readonly currentCaller: () => string | undefined;
  /** Handles a request, outside the context of any function. */
  readonly answer: (request: ArrivedRequest) => Promise<Answer>;
}

/** The options that SDK clients pass to `http.request`. */
interface SentOptions {
  readonly host: string;
  readonly port?: number;
  readonly method: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
}
type OnResponse = (response: DirectResponse) => void;

const doors = new Map<string, Door>();

/**
 * Answers requests of SDK clients to an origin within this process. Socket transfer and HTTP parsing are most of the
 * cost of a call. Requests without `X-Amz-Target` (those of S3, which may be streams) still use HTTP.
 * @returns a function that ends the interception.
 */
export function answerDirectly(door: Door): () => void {
  const place = new URL(door.origin).host;
  doors.set(place, door);
  hookRequests();
  return () => void doors.delete(place);
}

let isHooked = false;

/** Replaces `http.request` once and permanently, because SDK clients keep a reference to it. */
function hookRequests(): void {
  if (isHooked) return;
  isHooked = true;
  const overHttp = http.request;
  const request = (...sent: unknown[]): unknown => {
    const [options, onResponse] = sent;
    const door = isSent(options) ? doors.get(`${options.host}:${options.port}`) : undefined;
    if (door && isSent(options)) return new DirectRequest(door, options, onResponse as OnResponse);
    return Reflect.apply(overHttp, http, sent);
  };
  Object.assign(http, { request });
}

function isSent(options: unknown): options is SentOptions {
  const { host, port, headers } = (options ?? {}) as Partial<SentOptions>;
  return host !== undefined && port !== undefined && headers?.["x-amz-target"] !== undefined;
}

/** The part of Node's `ClientRequest` that SDK clients use. */
class DirectRequest extends EventEmitter {
  readonly #door: Door;
  readonly #options: SentOptions;
  readonly #caller: string | undefined;
  readonly #onResponse: OnResponse;
  #isDestroyed = false;

  constructor(door: Door, options: SentOptions, onResponse: OnResponse) {
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

  #respond(answer: Answer): void {
    if (this.#isDestroyed) return;
    this.#onResponse(responseOf(answer));
    this.emit("close");
  }
}

/**
 * A response for SDK clients. They read status and headers, then collect the body, and accept bytes in place of a
 * stream. A stream would cost more than the rest of the local cloud's work for most requests.
 */
type DirectResponse = Uint8Array & { readonly statusCode: number; readonly headers: Record<string, string> };

function responseOf({ status, headers, body }: Answer): DirectResponse {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  // A new view, because SDK clients change the prototype of the bytes.
  const bytes = new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  return Object.assign(bytes, {
    statusCode: status,
    headers: Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), String(value)])),
  });
}
