import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { answerControl } from "./control-routes.ts";
import type { SimulatorClock } from "./frame/clock.ts";
import { ProviderDesk } from "./frame/provider-desk.ts";
import { matchRoute, type SimulatedReply, type SimulatedRequest } from "./frame/simulated-http.ts";
import { passwordRoutes } from "./password/password.ts";
import { providerRules } from "./provider-rules.ts";

/** A request as it was answered. */
export interface RecordedRequest extends SimulatedRequest {
  /** The provider whose host it was; null when it was nobody's. */
  readonly slug: string | null;
  readonly atMs: number;
  readonly status: number;
}

const MOST_RECORDED = 10_000;
const CONTROL_HOST = "_simulator";

/** All simulated providers behind one address: `/host/path` stands for `https://host/path`. */
export class ProviderServer {
  /** The newest requests, oldest first. */
  readonly requests: RecordedRequest[] = [];
  readonly #clock: SimulatorClock;
  readonly #desks: ReadonlyMap<string, ProviderDesk>;
  readonly #server: Server;

  constructor(clock: SimulatorClock) {
    this.#clock = clock;
    this.#desks = new Map(providerRules.map((rules) => [rules.slug, new ProviderDesk(rules, clock)]));
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  /** @param port by default any free one of 127.0.0.1. */
  static async start(clock: SimulatorClock, port = 0): Promise<ProviderServer> {
    const server = new ProviderServer(clock);
    server.#server.listen(port, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The slugs of all providers that are simulated. */
  get slugs(): string[] {
    return [...this.#desks.keys()];
  }

  /** A provider at work. @throws Error for one that is not simulated. */
  provider(slug: string): ProviderDesk {
    const desk = this.#desks.get(slug);
    if (!desk) throw new Error(`no simulator for ${slug}`);
    return desk;
  }

  /** Answers a request as over HTTP. */
  async answer(request: SimulatedRequest): Promise<SimulatedReply> {
    if (request.host === CONTROL_HOST) return answerControl(this, request);
    const [slug, reply] = await this.#answered(request);
    this.requests.push({ ...request, slug, atMs: this.#clock.now(), status: reply.status });
    if (this.requests.length > MOST_RECORDED) this.requests.shift();
    return reply;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  async #answered(request: SimulatedRequest): Promise<[string | null, SimulatedReply]> {
    const ofHost = [...this.#desks.values()].filter((desk) => desk.hasHost(request.host));
    for (const desk of ofHost) {
      const reply = await desk.answer(request);
      if (reply) return [desk.slug, { ...reply, headers: { date: httpDate(desk.now()), ...reply.headers } }];
    }
    for (const route of passwordRoutes) {
      const params = matchRoute(route, request);
      if (params) return [params.provider ?? null, await route.answer({ ...request, params }, undefined)];
    }
    const reason = ofHost.length > 0 ? "no such path" : "no provider with this host is simulated";
    return [ofHost[0]?.slug ?? null, { status: 404, body: { error: reason } }];
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const reply = await this.answer(await readRequest(request));
      const { headers = {}, body } = reply;
      const isRaw = typeof body === "string" || Buffer.isBuffer(body);
      const type = body === undefined || isRaw ? {} : { "content-type": "application/json" };
      response.writeHead(reply.status, { ...type, ...headers });
      response.end(body === undefined || isRaw ? body : JSON.stringify(body));
    } catch (error) {
      response.writeHead(500, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }));
    }
  }
}

function httpDate(ms: number): string {
  return new Date(ms).toUTCString();
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
