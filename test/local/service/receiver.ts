import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { TestService } from "../../support/service.ts";

/** A webhook as it arrived: virtual instant (epoch ms), headers, and the body both as text and parsed. */
export interface Received {
  readonly at: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any;
}

/** An answer; `never` leaves a request without one, `reset` ends the connection instead. */
export type ReceiverAnswer =
  | number
  | "never"
  | "reset"
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly text?: string };

/** What the n-th request (from 1) is answered with. */
export type Behaviour = (count: number, body: Received["body"]) => ReceiverAnswer | Promise<ReceiverAnswer>;

/** The secret of every receiver here. */
export const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** A receiver of webhooks that answers as it is told to. */
export class Receiver {
  readonly received: Received[] = [];
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async start(service: TestService, behave: Behaviour = () => 204): Promise<Receiver> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const receiver = new Receiver(server, `http://127.0.0.1:${port}/hook`);
    server.on("request", async (request, response) => {
      const text = Buffer.concat(await request.toArray()).toString("utf8");
      const body = JSON.parse(text);
      receiver.received.push({ at: service.cloud.clock.now(), headers: request.headers, text, body });
      const answer = await behave(receiver.received.length, body);
      if (answer === "never") return;
      if (answer === "reset") return void request.socket.destroy();
      const { status, headers = {}, text: answered = "" } = typeof answer === "number" ? { status: answer } : answer;
      response.writeHead(status, { location: "/elsewhere", ...headers }).end(answered);
    });
    return receiver;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

/** A team of its own with one endpoint that leads to the receiver. @returns the team's key. */
export async function teamWith(service: TestService, receiver: Receiver, about: object = {}): Promise<string> {
  const { teamId, key } = await service.createTeam(`Receiver ${new URL(receiver.url).port}`);
  const path = `/v1/org/${service.identity.org_id}/team/${teamId}/sandbox/webhook`;
  const made = await service.manage("POST", path, { body: { url: receiver.url, secret: SECRET, ...about } });
  if (made.status !== 201) throw new Error(`no endpoint: ${JSON.stringify(made.body)}`);
  return key;
}
