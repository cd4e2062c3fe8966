import { mixed } from "../../lib/local/front/faults.ts";

const STEP = 0x9e3779b9;

/** Pseudorandom numbers, the same for the same seed. */
export class Draw {
  #state: number;

  /** @param about the purpose. Each purpose has its own sequence, independent of other purposes. */
  constructor(seed: number, about: number) {
    this.#state = mixed(mixed(seed | 0) ^ Math.imul(about + 1, STEP));
  }

  /** An integer from 0 to below `end`. */
  below(end: number): number {
    this.#state = (this.#state + STEP) | 0;
    return Math.floor((mixed(this.#state) / 2 ** 32) * end);
  }

  /** True with a probability of `share` per cent. */
  percent(share: number): boolean {
    return this.below(100) < share;
  }

  /** Picks one of some items. */
  of<T>(things: readonly [T, ...T[]]): T;
  of<T>(things: readonly T[]): T | undefined;
  of<T>(things: readonly T[]): T | undefined {
    return things[this.below(things.length)];
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)));
  }

  uuid(): string {
    const hex = this.bytes(16).toString("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}
