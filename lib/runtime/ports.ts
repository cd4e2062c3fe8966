import { randomBytes, randomUUID } from "node:crypto";

/** The service's source of time. */
interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

/** The service's source of identifiers and random bytes. */
export interface Ids {
  uuid(): string;
  /** Random bytes from the system's secure generator. */
  bytes(length: number): Buffer;
}

/**
 * Ports for time, randomness and outbound requests. Handlers use them instead of the system's, so runners can control
 * them.
 */
export interface Ports {
  readonly clock: Clock;
  readonly ids: Ids;
  /** Sends an outbound request. A runner may inject a fault; `about` describes the request to the runner. */
  readonly outbound: <T>(send: () => Promise<T>, about?: string) => Promise<T>;
}

const systemPorts: Ports = {
  clock: { now: () => Date.now() },
  ids: { uuid: () => randomUUID(), bytes: (length) => randomBytes(length) },
  outbound: (send) => send(),
};

/**
 * The symbol on globalThis under which a runner (the local cloud, a test) sets its own ports. Bundled handlers and the
 * runner are separate module graphs in one process, so a module variable would not reach both.
 */
const PORTS = Symbol.for("tributary.ports");
type WithPorts = typeof globalThis & { [PORTS]?: Ports };

/** Returns the current ports: the runner's, or else the system's. */
export function ports(): Ports {
  return (globalThis as WithPorts)[PORTS] ?? systemPorts;
}

/** Replaces ports of this process. `undefined` restores the system's. */
export function setPorts(replacement: Partial<Ports> | undefined): void {
  if (replacement === undefined) delete (globalThis as WithPorts)[PORTS];
  else (globalThis as WithPorts)[PORTS] = { ...systemPorts, ...replacement };
}

/** A random number in [0, 1) with 8 bits, for jitter. */
export function randomFraction(): number {
  return ports().ids.bytes(1).readUInt8() / 256;
}

/** The current time as ISO 8601 in UTC with milliseconds. */
export function isoNow(): string {
  return new Date(ports().clock.now()).toISOString();
}
