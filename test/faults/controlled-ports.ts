import { createHash } from "node:crypto";
import { type Ports, ports, setPorts } from "../../lib/runtime/ports.ts";

/** The ports of a local cloud, with a clock that moves only on request, and a random source that can restart. */
export class ControlledPorts {
  readonly #own: Ports = ports();
  #at: number | undefined;
  #seed = "";
  #drawn = 0;

  constructor() {
    const { ids, outbound } = this.#own;
    setPorts({
      clock: { now: () => this.now() },
      ids: {
        uuid: () => (this.#at === undefined ? ids.uuid() : uuidOf(this.#bytes(16))),
        bytes: (length) => (this.#at === undefined ? ids.bytes(length) : this.#bytes(length)),
      },
      outbound,
    });
  }

  /** Stops the clock at an instant and seeds the random source. @param at epoch milliseconds. */
  freeze(at: number, seed: string): void {
    this.#at = at;
    this.#seed = seed;
    this.#drawn = 0;
  }

  /** Epoch milliseconds. */
  now(): number {
    return this.#at ?? this.#own.clock.now();
  }

  /** Moves the stopped clock ahead. */
  advance(ms: number): void {
    if (this.#at !== undefined) this.#at += ms;
  }

  /** Resumes real time and randomness. */
  resume(): void {
    this.#at = undefined;
  }

  /** Restores the former ports. */
  restore(): void {
    setPorts(this.#own);
  }

  #bytes(length: number): Buffer {
    const blocks = Array.from({ length: Math.ceil(length / 32) }, () =>
      createHash("sha256")
        .update(`${this.#seed} ${this.#drawn++}`)
        .digest(),
    );
    return Buffer.concat(blocks).subarray(0, length);
  }
}

function uuidOf(bytes: Buffer): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
