import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { answerControl } from "./control-routes.ts";
import type { SimulatorClock } from "./frame/clock.ts";
import type { ProviderDesk } from "./frame/provider-desk.ts";
import type { SimulatedReply, SimulatedRequest } from "./frame/simulated-http.ts";
import { ProviderHosts, sentReply } from "./provider-hosts.ts";
import { providerRules } from "./provider-rules.ts";

/** A handled request. */
export interface RecordedRequest extends SimulatedRequest {
  /** Provider of the host; null for an unknown host. */
  readonly slug: string | null;
  readonly atMs: number;
  readonly status: number;
}

const MOST_RECORDED = 10_000;
const CONTROL_HOST = "_simulator";

/** HTTP server of all simulated providers: `/host/path` stands for `https://host/path`. */
export class ProviderServer {
  /** The latest requests, oldest first. */
  readonly requests: RecordedRequest[] = [];
  readonly #clock: SimulatorClock;
  readonly #hosts: ProviderHosts;
  readonly #server: Server;

  constructor(clock: SimulatorClock) {
    this.#clock = clock;
    this.#hosts = new ProviderHosts(providerRules, clock);
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
  provider(slug: string): ProviderDesk {
    return this.#hosts.provider(slug);
  }

  /** Handles a request without HTTP. */
  async answer(request: SimulatedRequest): Promise<SimulatedReply> {
    if (request.host === CONTROL_HOST) return answerControl(this, request);
    const { slug, reply } = await this.#hosts.answer(request);
    this.requests.push({ ...request, slug, atMs: this.#clock.now(), status: reply.status });
    if (this.requests.length > MOST_RECORDED) this.requests.shift();
    return reply;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { status, headers, content } = sentReply(await this.answer(await readRequest(request)));
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
