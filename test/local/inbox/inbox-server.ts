import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Inbox } from "../../../lib/local/inbox/inbox.ts";
import { inboxRoutes } from "../../../lib/local/inbox/inbox-routes.ts";
import { NOW, SECRET } from "./signed-webhook.ts";

/** An inbox behind its own server, which answers 418 to requests that the inbox does not handle. */
export interface InboxServer {
  readonly inbox: Inbox;
  /** Without a trailing `/`. */
  readonly origin: string;
  close(): Promise<void>;
}

/** @param port 0 selects any free port. @param nowMs time of the inbox's clock. */
export async function startInboxServer({ port = 0, nowMs = NOW } = {}): Promise<InboxServer> {
  const inbox = new Inbox({ path: ":memory:", secret: () => SECRET, now: () => nowMs });
  const routes = inboxRoutes(inbox);
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    if (!(await routes(request, response, url))) response.writeHead(418).end();
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const { port: taken } = server.address() as AddressInfo;
  return { inbox, origin: `http://127.0.0.1:${taken}`, close: () => close(server, inbox) };
}

async function close(server: Server, inbox: Inbox): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
  inbox.close();
}
