import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { EgressRefused, isGlobalAddress } from "./egress.ts";

/** The address that was checked for the client that is running; its sockets may lead there, whatever it is. */
const guarded = new AsyncLocalStorage<string>();
let isWatching = false;

/**
 * Runs a client that resolves names by itself, so that a second answer of the name's owner leads nowhere else: a socket that
 * it opens, at once or when it connects anew, is ended before it connects to an address that is not global, or at the latest
 * before a byte is sent.
 * @param checked the address that was checked.
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
    // Its client may not listen yet, and an error that nobody listens for ends the process.
    socket.on("error", () => undefined);
    socket.destroy(new EgressRefused("the connection leads to another address"));
  };
  socket.on("lookup", (error, address) => error ?? requireAllowed(address));
  // An address that the client has resolved itself is looked up by nobody else.
  socket.on("connect", () => requireAllowed(socket.remoteAddress));
}
