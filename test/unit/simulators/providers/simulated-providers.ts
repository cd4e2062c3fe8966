import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { SimulatedReply } from "../../../../lib/simulators/providers/base/simulated-http.ts";
import { ProviderServer } from "../../../../lib/simulators/providers/provider-server.ts";

/** The optional parts of a request. */
export interface ProviderRequestParts {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

/** A reply of a simulated provider. */
export interface ProviderReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of any shape
  readonly body: any;
}

/** A push as received. */
export interface ReceivedPush {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const DAY_MS = 86_400_000;
export const clientCredentials = { client_id: "tributary-local", client_secret: "tributary-local-secret" };
export const basicAuthorization = {
  authorization: `Basic ${Buffer.from("tributary-local:tributary-local-secret").toString("base64")}`,
};

/** A server of simulated providers at 12:00 UTC on 2026-05-20, called without a network. */
export function startSimulatedProviders() {
  let skipped = 0;
  const timers: { dueAt: number; task: () => void | Promise<void> }[] = [];
  const clock = {
    now: () => Date.UTC(2026, 4, 20, 12) + skipped,
    at: (dueAt: number, task: () => void | Promise<void>) => timers.push({ dueAt, task }),
  };
  const server = new ProviderServer(clock);

  async function ask(
    method: string,
    url: string,
    { token, headers, form, json }: ProviderRequestParts = {},
  ): Promise<ProviderReply> {
    const { host, pathname, searchParams } = new URL(`https://${url}`);
    const body = form ? new URLSearchParams(form).toString() : json === undefined ? "" : JSON.stringify(json);
    const type = form ? "application/x-www-form-urlencoded" : "application/json";
    const all = { "content-type": type, ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers };
    const request = { method, host, path: pathname, query: searchParams, headers: all, body };
    const reply: SimulatedReply = await server.answer(request);
    return { status: reply.status, headers: reply.headers ?? {}, body: reply.body };
  }

  /** Advances the clock and runs due timers. */
  async function skip(ms: number): Promise<void> {
    skipped += ms;
    const due = timers.filter(({ dueAt }) => dueAt <= clock.now()).sort((a, b) => a.dueAt - b.dueAt);
    for (const timer of due) {
      timers.splice(timers.indexOf(timer), 1);
      await timer.task();
    }
  }

  /** Answers the provider's consent page. @returns the query of the redirect back. */
  async function consent(
    url: string,
    slug: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<URLSearchParams> {
    const redirect_uri = `http://127.0.0.1:4000/v2/link/callback/${slug}`;
    const all = {
      response_type: "code",
      client_id: clientCredentials.client_id,
      redirect_uri,
      state: "state-123456",
      ...fields,
    };
    const reply = await ask("GET", `${url}?${new URLSearchParams({ auto: "allow", ...all })}`);
    const location = reply.headers.location;
    if (reply.status !== 302 || location === undefined) throw new Error(`${reply.status}: ${String(reply.body)}`);
    return new URL(location).searchParams;
  }

  return {
    server,
    clock,
    ask,
    skip,
    consent,
    callback: (slug: string) => `http://127.0.0.1:4000/v2/link/callback/${slug}`,
  };
}

/** Receives and records pushes. `answer` sets the response. */
export class PushReceiver {
  readonly received: ReceivedPush[] = [];
  answer: (push: ReceivedPush) => { readonly status: number; readonly body?: string } = () => ({ status: 200 });
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const push = {
        method: request.method ?? "",
        url: new URL(request.url ?? "/", this.origin),
        headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
        body: (await buffer(request)).toString("utf8"),
      };
      this.received.push(push);
      const { status, body = "" } = this.answer(push);
      response.writeHead(status).end(body);
    });
  }

  static async start(): Promise<PushReceiver> {
    const receiver = new PushReceiver();
    receiver.#server.listen(0, "127.0.0.1");
    await once(receiver.#server, "listening");
    return receiver;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }
}
