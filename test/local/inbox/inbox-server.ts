import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Inbox } from "../../../lib/local/inbox/inbox.ts";
import { inboxRoutes } from "../../../lib/local/inbox/inbox-routes.ts";
import { NOW, SECRET } from "./signed-webhook.ts";

/** An inbox behind a server of its own, which answers 418 to what the inbox leaves alone. */
export interface InboxServer {
  readonly inbox: Inbox;
  /** Without a `/` at its end. */
  readonly origin: string;
  close(): Promise<void>;
}

/** @param port 0 takes any free one. @param nowMs what the inbox's clock shows. */
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
