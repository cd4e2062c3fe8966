import { subscribe } from "node:diagnostics_channel";
import type { ClientRequest, IncomingMessage } from "node:http";

interface HttpMessage {
  readonly request: ClientRequest;
  readonly response: IncomingMessage;
}

const open = new Set<ClientRequest>();

const settle = (message: unknown) => void open.delete((message as HttpMessage).request);
subscribe("http.client.request.start", (message) => void open.add((message as HttpMessage).request));
subscribe("http.client.request.error", settle);
subscribe("http.client.response.finish", (message) => {
  (message as HttpMessage).response.once("close", () => settle(message));
});

/**
 * HTTP requests of this process whose response has not ended. Node publishes them on its diagnostics channels, which
 * one subscription serves, however many simulations a process runs.
 */
export const openHttpRequests: ReadonlySet<ClientRequest> = open;
