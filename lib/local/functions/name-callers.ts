import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import type { Socket } from "node:net";
import { CALLER_HEADER, CALLER_KEY_HEADER } from "../front/aws-request.ts";

export interface NameCallersOptions {
  /** Only requests to here are marked, for example `http://127.0.0.1:4566`. */
  readonly localOrigin: string;
  /** What shows there that the mark is ours. */
  readonly callerKey: string;
  /** The function on whose behalf the code runs, if any. */
  readonly currentCaller: () => string | undefined;
}

/** What the undici documentation ("Diagnostics Channel Support") tells of a request of `fetch`. */
interface FetchRequest {
  readonly origin: string;
  addHeader(name: string, value: string): void;
}

/**
 * Marks every HTTP request of this process to the local origin with the function that makes it, whichever client sends
 * it: Node tells of each request before its head is sent, in the context of who asked for it.
 * @returns ends it.
 */
export function nameCallers({ localOrigin, callerKey, currentCaller }: NameCallersOptions): () => void {
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
 * A request with `Expect: 100-continue`, as S3 clients send it for bodies from 2 MB on, has its head written out before
 * Node tells of it. The head is the first thing the socket is given, so the header still gets in there.
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
