import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import type { Socket } from "node:net";
import { CALLER_HEADER, CALLER_KEY_HEADER } from "../aws-proxy/aws-request.ts";

export interface CallerHeaderOptions {
  /** Origin whose requests get the headers, for example `http://127.0.0.1:4566`. */
  readonly localOrigin: string;
  /** Key that authenticates the caller header. */
  readonly callerKey: string;
  /** Name of the function that makes the request, if any. */
  readonly currentCaller: () => string | undefined;
}

/** A request of `fetch`, as undici's diagnostics channel publishes it (undici, "Diagnostics Channel Support"). */
interface FetchRequest {
  readonly origin: string;
  addHeader(name: string, value: string): void;
}

/**
 * Adds the name of the calling function to every HTTP request of this process to the local origin, for any HTTP client.
 * Node publishes each request before it sends the head, in the async context of the caller.
 * @returns a function that removes the hooks.
 */
export function addCallerHeaders({ localOrigin, callerKey, currentCaller }: CallerHeaderOptions): () => void {
  const { host, hostname } = new URL(localOrigin);

  const onHttpRequest = (message: unknown): void => {
    const { request } = message as { request: ClientRequest };
    const caller = currentCaller();
    if (caller === undefined || request.host !== hostname || request.getHeader("host") !== host) return;
    const marks = { [CALLER_HEADER]: caller, [CALLER_KEY_HEADER]: callerKey };
    if (request.headersSent) request.prependOnceListener("socket", (socket) => addToHead(socket, marks));
    else for (const [name, value] of Object.entries(marks)) request.setHeader(name, value);
  };

  const onFetchRequest = (message: unknown): void => {
    const { request } = message as { request: FetchRequest };
    const caller = currentCaller();
    if (caller === undefined || request.origin !== localOrigin) return;
    request.addHeader(CALLER_HEADER, caller);
    request.addHeader(CALLER_KEY_HEADER, callerKey);
  };

  subscribe("http.client.request.created", onHttpRequest);
  subscribe("undici:request:create", onFetchRequest);
  return () => {
    unsubscribe("http.client.request.created", onHttpRequest);
    unsubscribe("undici:request:create", onFetchRequest);
  };
}

/**
 * Adds headers to a request with `Expect: 100-continue`, which S3 clients send for bodies from 2 MB on. Node serializes
 * its head before it publishes the request. The head is the first write to the socket, so this function changes it.
 */
function addToHead(socket: Socket, marks: Readonly<Record<string, string>>): void {
  const write = socket.write;
  const writeOnce = (head: string | Uint8Array, ...rest: unknown[]): unknown => {
    socket.write = write;
    const lines = Object.entries(marks).map(([name, value]) => `${name}: ${value}\r\n`);
    const marked = String(head).replace("\r\n", () => `\r\n${lines.join("")}`);
    return Reflect.apply(write, socket, [marked, ...rest]);
  };
  Object.defineProperty(socket, "write", { value: writeOnce, configurable: true, writable: true });
}
