import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

/** A webhook with a valid signature. */
interface VerifiedWebhook {
  readonly id: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every event type
  readonly body: any;
}

/** A receiver of webhooks that verifies each signature with an independent library. */
export class SignedReceiver {
  readonly verified: VerifiedWebhook[] = [];
  rejected = 0;
  /** The endpoint's signing secret, once it is known. */
  secret = "";
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    server.on("request", async (request, response) => {
      const text = Buffer.concat(await request.toArray()).toString("utf8");
      response.writeHead(this.#verify(text, request.headers as Record<string, string>) ? 204 : 401).end();
    });
  }

  static async start(): Promise<SignedReceiver> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return new SignedReceiver(server);
  }

  #verify(text: string, headers: Record<string, string>): boolean {
    try {
      this.verified.push({ id: headers["webhook-id"] ?? "", body: new Webhook(this.secret).verify(text, headers) });
      return true;
    } catch {
      this.rejected++;
      return false;
    }
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
