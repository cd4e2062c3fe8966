import { mixBits } from "../../lib/local/aws-proxy/fault-injector.ts";

const STATE_INCREMENT = 0x9e3779b9;

/** Pseudorandom numbers, the same for the same seed. */
export class FuzzRandom {
  #state: number;

  /** @param about the purpose. Each purpose has its own sequence, independent of other purposes. */
  constructor(seed: number, about: number) {
    this.#state = mixBits(mixBits(seed | 0) ^ Math.imul(about + 1, STATE_INCREMENT));
  }

  /** An integer from 0 to below `end`. */
  integerBelow(end: number): number {
    this.#state = (this.#state + STATE_INCREMENT) | 0;
    return Math.floor((mixBits(this.#state) / 2 ** 32) * end);
  }

  /** True with a probability of `share` per cent. */
  percent(share: number): boolean {
    return this.integerBelow(100) < share;
  }

  /** Picks one of some items. */
  pick<T>(things: readonly [T, ...T[]]): T;
  pick<T>(things: readonly T[]): T | undefined;
  pick<T>(things: readonly T[]): T | undefined {
    return things[this.integerBelow(things.length)];
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.integerBelow(256)));
  }

  uuid(): string {
    const hex = this.bytes(16).toString("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}
