import type { ServerResponse } from "node:http";
import type { Inbox } from "./inbox.ts";

/** Delay after which a page reconnects. */
const RECONNECT_MS = 1_000;

/**
 * Streams the inbox as server-sent events (HTML Standard, "Server-sent events"). `recent` comes first, also after a
 * reconnect, with all entries. `received` follows with each new entry, and `cleared` when the inbox is cleared, with
 * `event_type` if only the entries of that type or prefix are. Entries have neither headers nor body.
 */
export function streamInbox(inbox: Inbox, response: ServerResponse): void {
  const send = (event: string, data: unknown) => response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  response.write(`retry: ${RECONNECT_MS}\n`);
  send("recent", inbox.entries());
  const unsubscribe = inbox.subscribe((change) => {
    send(change.kind, change.kind === "received" ? change.entry : { event_type: change.filter.eventType });
  });
  response.on("close", unsubscribe);
}
