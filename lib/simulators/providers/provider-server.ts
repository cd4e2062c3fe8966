import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { RecordedRequest, SimulatedReply, SimulatedRequest } from "./base/simulated-http.ts";
import type { SimulatedProvider } from "./base/simulated-provider.ts";
import type { SimulatorClock } from "./base/simulator-clock.ts";
import { handleControlRequest } from "./control-routes.ts";
import { HostRouter, serializeReply } from "./host-router.ts";
import { providerDefinitions } from "./provider-definitions.ts";

const MAX_RECORDED_REQUESTS = 10_000;
const CONTROL_HOST = "_simulator";

/** HTTP server of all simulated providers: `/host/path` stands for `https://host/path`. */
export class ProviderServer {
  /** The latest requests, oldest first. */
  readonly requests: RecordedRequest[] = [];
  readonly #clock: SimulatorClock;
  readonly #hosts: HostRouter;
  readonly #server: Server;

  constructor(clock: SimulatorClock) {
    this.#clock = clock;
    this.#hosts = new HostRouter(providerDefinitions, clock);
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  /** Starts the server on 127.0.0.1. @param port default: any free port. */
  static async start(clock: SimulatorClock, port = 0): Promise<ProviderServer> {
    const server = new ProviderServer(clock);
    server.#server.listen(port, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Slugs of the simulated providers. */
  get slugs(): string[] {
    return this.#hosts.slugs;
  }

  /** Returns a simulated provider. @throws Error for an unknown slug. */
  provider(slug: string): SimulatedProvider {
    return this.#hosts.provider(slug);
  }

  /** Handles a request without HTTP. */
  async answer(request: SimulatedRequest): Promise<SimulatedReply> {
    if (request.host === CONTROL_HOST) return handleControlRequest(this, request);
    const { slug, reply } = await this.#hosts.answer(request);
    this.requests.push({ ...request, slug, atMs: this.#clock.now(), status: reply.status });
    if (this.requests.length > MAX_RECORDED_REQUESTS) this.requests.shift();
    return reply;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { status, headers, content } = serializeReply(await this.answer(await readRequest(request)));
      response.writeHead(status, { ...headers });
      response.end(content);
    } catch (error) {
      response.writeHead(500, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }));
    }
  }
}

async function readRequest(request: IncomingMessage): Promise<SimulatedRequest> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
  const [, host = "", ...parts] = pathname.split("/");
  const headers = Object.entries(request.headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]);
  return {
    method: request.method ?? "GET",
    host,
    path: `/${parts.join("/")}`,
    query: searchParams,
    headers: Object.fromEntries(headers),
    body: (await buffer(request)).toString("utf8"),
  };
}
