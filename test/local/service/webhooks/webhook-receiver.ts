import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { TestService } from "../../../support/service.ts";

/** A received webhook: virtual instant (epoch ms), headers, and the body as text and parsed. */
export interface ReceivedWebhook {
  readonly at: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any;
}

/** Response of a receiver; `never` sends none, `reset` closes the connection. */
type ReceiverAnswer =
  | number
  | "never"
  | "reset"
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly text?: string };

/** Returns the response to the n-th request (from 1). */
export type ReceiverBehavior = (
  count: number,
  body: ReceivedWebhook["body"],
) => ReceiverAnswer | Promise<ReceiverAnswer>;

/** Signing secret of every test receiver. */
export const RECEIVER_SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** A webhook receiver with programmable responses. */
export class Receiver {
  readonly received: ReceivedWebhook[] = [];
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async start(service: TestService, behave: ReceiverBehavior = () => 204): Promise<Receiver> {
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

/** Creates a team with one endpoint at the receiver. @returns the team's key. */
export async function createTeamWithReceiver(
  service: TestService,
  receiver: Receiver,
  about: object = {},
): Promise<string> {
  const { teamId, key } = await service.createTeam(`Receiver ${new URL(receiver.url).port}`);
  const path = `/v1/org/${service.identity.org_id}/team/${teamId}/sandbox/webhook`;
  const made = await service.manage("POST", path, { body: { url: receiver.url, secret: RECEIVER_SECRET, ...about } });
  if (made.status !== 201) throw new Error(`no endpoint: ${JSON.stringify(made.body)}`);
  return key;
}
