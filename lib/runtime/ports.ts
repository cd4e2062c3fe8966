import { randomBytes, randomUUID } from "node:crypto";

/** Time as the service sees it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

/** Identifiers and secrets. */
export interface Ids {
  uuid(): string;
  /** Random bytes from the system's secure generator. */
  bytes(length: number): Buffer;
}

/** Time, chance and the way out, which handlers may not take for themselves. */
export interface Ports {
  readonly clock: Clock;
  readonly ids: Ids;
  /** Passes every request to the outside world; a runner may make it fail. `about` tells it what is asked of whom. */
  readonly outbound: <T>(send: () => Promise<T>, about?: string) => Promise<T>;
}

const system: Ports = {
  clock: { now: () => Date.now() },
  ids: { uuid: () => randomUUID(), bytes: (length) => randomBytes(length) },
  outbound: (send) => send(),
};

/**
 * The registry key under which a runner (the local cloud, a test) puts its own ports. It lives on globalThis because
 * bundled handlers and the runner are separate module graphs in one process.
 */
const PORTS = Symbol.for("tributary.ports");
type WithPorts = typeof globalThis & { [PORTS]?: Ports };

/** The ports in force: the runner's, else the system's. */
export function ports(): Ports {
  return (globalThis as WithPorts)[PORTS] ?? system;
}

/** Puts ports in force for this process, or the system's again. */
export function usePorts(replacement: Partial<Ports> | undefined): void {
  if (replacement === undefined) delete (globalThis as WithPorts)[PORTS];
  else (globalThis as WithPorts)[PORTS] = { ...system, ...replacement };
}

/** A number in [0, 1), to spread what must not happen all at once. */
export function chance(): number {
  return ports().ids.bytes(1).readUInt8() / 256;
}

/** The present instant as ISO 8601 in UTC with milliseconds. */
export function isoNow(): string {
  return new Date(ports().clock.now()).toISOString();
}
