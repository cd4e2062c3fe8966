import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { EgressRefused, isGlobalAddress } from "../../runtime/egress.ts";

/** The checked address of the running client. Its sockets may connect to this address even if it is not global. */
const guarded = new AsyncLocalStorage<string>();
let isWatching = false;

/**
 * Runs a client that resolves names by itself, and guards its sockets against DNS rebinding. A socket that would reach
 * a non-global address is destroyed before it connects, or at the latest before it sends a byte. Reconnects are
 * covered.
 * @param checked the address that egress control has checked.
 */
export function withGuardedSockets<T>(checked: string, run: () => Promise<T>): Promise<T> {
  if (!isWatching) subscribe("net.client.socket", (message) => guard((message as { socket: Socket }).socket));
  isWatching = true;
  return guarded.run(checked, run);
}

function guard(socket: Socket): void {
  const checked = guarded.getStore();
  if (checked === undefined) return;
  const requireAllowed = (address = "") => {
    if (address === checked || isGlobalAddress(address)) return;
    // The client may not listen for errors yet, and an unhandled error event ends the process.
    socket.on("error", () => undefined);
    socket.destroy(new EgressRefused("the connection leads to another address"));
  };
  socket.on("lookup", (error, address) => error ?? requireAllowed(address));
  // A socket does not look up an address that the client resolved itself.
  socket.on("connect", () => requireAllowed(socket.remoteAddress));
}
