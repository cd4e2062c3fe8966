import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Gateway, type GatewayOptions } from "./gateway.ts";
import { type GatewayResponse, toErrorResponse } from "./gateway-response.ts";

export interface HttpApiOptions extends GatewayOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** Called for every request before its body is read. Returns true when it has sent a response. */
  readonly beforeRoutes?: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;
  /** Maximum time in which a client sends a request. 30 s by default. */
  readonly receiveTimeoutMs?: number;
}

/** A running HTTP API. */
export interface HttpApi {
  /** Without a trailing `/`. */
  readonly url: string;
  /** Stops accepting requests, waits for the responses to complete requests, and closes. */
  close(): Promise<void>;
}

/**
 * Serves an HTTP API of API Gateway on 127.0.0.1.
 * @throws Error for a port in use, and for invalid or duplicate routes.
 */
export async function startHttpApi(options: HttpApiOptions): Promise<HttpApi> {
  const gateway = new Gateway(options);
  const answering = new Map<IncomingMessage, Promise<void>>();
  const server = createServer(serverTimeouts(options.receiveTimeoutMs ?? 30_000), (request, response) => {
    const work = handle(options, gateway, request, response).finally(() => answering.delete(request));
    answering.set(request, work);
  });
  rejectConnect(server);
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const request of answering.keys()) if (!request.complete) request.destroy();
    await Promise.all(answering.values());
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

/** Node checks for slow requests once per interval, which limits the precision of the timeout. */
function serverTimeouts(receiveTimeoutMs: number) {
  return {
    headersTimeout: receiveTimeoutMs,
    requestTimeout: receiveTimeoutMs,
    connectionsCheckingInterval: Math.min(1_000, receiveTimeoutMs),
  };
}

async function handle(
  { name, beforeRoutes, clock }: HttpApiOptions,
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const setDate = () => response.setHeader("date", new Date(clock.now()).toUTCString());
  try {
    setDate();
    if (await beforeRoutes?.(request, response)) return;
    const answer = await gateway.answer(request);
    setDate();
    await send(response, answer);
  } catch (error) {
    // The client aborted the request: not an error of the server, and no response is possible.
    if (request.destroyed && !request.complete) return;
    console.error(`${name}: ${request.method} ${request.url} failed:`, error);
    if (response.headersSent) response.destroy();
    else await send(response, toErrorResponse(500, "Internal Server Error", randomUUID()));
  }
}

/** Sends a response. Resolves when the response is handed to the network, or when the connection is closed. */
function send(response: ServerResponse, { status, headers, body }: GatewayResponse): Promise<void> {
  const sent = new Promise<void>((resolve) => {
    response.once("finish", resolve);
    response.once("close", resolve);
    if (response.destroyed) resolve();
  });
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  // Node omits the length of a response to HEAD. Statuses 204 and 304 have no length (RFC 9110 section 8.6).
  if (status !== 204 && status !== 304) response.setHeader("content-length", Buffer.byteLength(body));
  response.statusCode = status;
  response.end(body);
  return sent;
}

/** Responds to CONNECT with 405. By default Node closes the connection without a response. */
function rejectConnect(server: Server): void {
  server.on("connect", (_request, socket) => {
    socket.on("error", () => socket.destroy());
    socket.end("HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  });
}

function listen(server: Server, { name, port }: HttpApiOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === "EADDRINUSE";
      reject(isTaken ? new Error(`${name}: port ${port} is already in use`, { cause: error }) : error);
    });
    server.listen(port, "127.0.0.1", resolve);
  });
}
