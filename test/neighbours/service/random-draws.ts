import type { Ids } from "../../../lib/runtime/ports.ts";
import { SeededRandom } from "../../unit/support/seeded-random.ts";

const STEPS = 1_000_000;

/** Seeded draws of durations and times. */
export class RandomDraws {
  readonly #random: SeededRandom;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
  }

  below(limit: number): number {
    return this.#random.integerBelow(limit);
  }

  /** A duration between two bounds, each equally likely. */
  between(leastMs: number, mostMs: number): number {
    return leastMs + (mostMs - leastMs) * this.#fraction();
  }

  /** The time to the next of events that occur at random, at a mean rate. */
  gapMs(perSecond: number): number {
    return (-Math.log(1 - this.#fraction()) * 1000) / perSecond;
  }

  /** A logarithmic normal duration. @param spread standard deviation of its logarithm. */
  skewed(medianMs: number, spread: number): number {
    const angle = 2 * Math.PI * this.#fraction();
    return medianMs * Math.exp(spread * Math.sqrt(-2 * Math.log(1 - this.#fraction())) * Math.cos(angle));
  }

  /** Identifiers and bytes that repeat with the seed. */
  ids(): Ids {
    return {
      uuid: () => this.#random.uuid(),
      bytes: (length) => Buffer.from(Array.from({ length }, () => this.below(256))),
    };
  }

  #fraction(): number {
    return this.#random.integerBelow(STEPS) / STEPS;
  }
}
