import type { DataStage } from "../../../../../lib/domain/ingest/batch.ts";
import type { SeededRandom } from "../../../support/seeded-random.ts";
import { drawOrigins } from "./draw-origins.ts";
import { type DrillResource, drillResources, identityTypes, type Origin, type Reading } from "./reading.ts";

/** A request of a sender. */
export interface PlannedRequest {
  /** Place of the user among those of the plan. */
  readonly user: number;
  readonly origin: Origin;
  readonly stage: DataStage;
  readonly isFinal: boolean;
  readonly sent: readonly Reading[];
  /** Readings of which the sender deletes the identity. */
  readonly deleted: readonly Reading[];
  /** Time since the request before, ms. */
  readonly waitMs: number;
}

/** What one schedule sends, in order of receipt. */
export interface Plan {
  readonly users: number;
  readonly origins: readonly Origin[];
  readonly requests: readonly PlannedRequest[];
}

const T0 = Date.UTC(2026, 2, 10, 7, 59, 58);
const HALF_HOUR = 1_800_000;
/** Instants within and across the buckets of all resources. */
const INSTANTS = [0, 1, 2_000, 60_000, HALF_HOUR, HALF_HOUR + 1_000, 32 * HALF_HOUR, 1_056 * HALF_HOUR];
/** More buckets than one message stores. */
const LONG_HISTORY = 201;
/** One plan of so many has a long history. */
const LONG_HISTORY_EVERY = 40;
/** Variants of a value at most, few so that corrections return to earlier values. */
const VARIANTS = 3;
/** Distance between the values of two owners, with room for corrections. */
const OWNER_STEP = VARIANTS + 1;
const OFFSETS_S = [null, 3_600, -18_000];

/** Draws the requests of one schedule. */
export class PlanDrawer {
  readonly #random: SeededRandom;
  readonly #origins: readonly Origin[];
  readonly #users: number;
  readonly #resources: readonly DrillResource[];
  readonly #instants: readonly number[];
  readonly #offsetsS: readonly (number | null)[];
  /** Whether all recorders send the same values, or each its own. */
  readonly #sharesValues: boolean;
  readonly #variants: number;
  readonly #hasLongHistory: boolean;
  readonly #requests: PlannedRequest[] = [];
  /** User and place of the origin of the last request. */
  #last: readonly [user: number, origin: number] = [0, 0];

  /** @param seed decides what few schedules must cover: the family of recorders, and a long history. */
  constructor(seed: number, random: SeededRandom) {
    this.#random = random;
    this.#hasLongHistory = seed % LONG_HISTORY_EVERY === 3;
    // In a narrow plan, most requests are about the same few samples.
    const isNarrow = random.isWithinPercent(60);
    this.#users = !isNarrow && random.isWithinPercent(60) ? 2 : 1;
    this.#origins = drawOrigins(seed, random);
    const first = random.pick(drillResources);
    this.#resources = drillResources.filter((name) => name === first || (!isNarrow && random.isWithinPercent(30)));
    const start = random.pick(INSTANTS);
    this.#instants = INSTANTS.filter((instant) => instant === start || random.isWithinPercent(isNarrow ? 10 : 30));
    this.#offsetsS = random.isWithinPercent(60) ? [random.pick(OFFSETS_S)] : OFFSETS_S;
    this.#variants = 1 + random.integerBelow(VARIANTS);
    this.#sharesValues = random.isWithinPercent(20);
  }

  draw(): Plan {
    const count = 4 + this.#random.integerBelow(6);
    const longAt = this.#hasLongHistory ? this.#random.integerBelow(count) : -1;
    for (let place = 0; place < count; place++) {
      const request = this.#request(place === longAt);
      this.#requests.push(request);
      if (place !== longAt && this.#random.isWithinPercent(20)) this.#requests.push(...this.#thereAndBack(request));
    }
    return { users: this.#users, origins: this.#origins, requests: this.#requests };
  }

  #request(isLong: boolean): PlannedRequest {
    const waitMs = this.#random.isWithinPercent(15) ? 0 : 1 + this.#random.integerBelow(2_000);
    if (!isLong && this.#requests.length > 0 && this.#random.isWithinPercent(20))
      return { ...this.#random.pick(this.#requests), waitMs };
    const [user, place] = this.#owner();
    const owner = this.#sharesValues ? 0 : user * this.#origins.length + place;
    const stage = isLong || this.#random.isWithinPercent(30) ? "historical" : "daily";
    const about = { user, origin: this.#origins[place]!, stage, isFinal: this.#random.isWithinPercent(60), waitMs };
    if (isLong) return { ...about, stage, sent: this.#longHistory(owner), deleted: [] } as const;
    const [sent, deleted] = this.#records(owner);
    return { ...about, stage, sent, deleted } as const;
  }

  /** The user and origin of the last request, or often another origin. */
  #owner(): readonly [user: number, origin: number] {
    const { length } = this.#origins;
    const step = this.#random.isWithinPercent(45) ? 0 : 1 + this.#random.integerBelow(length - 1);
    this.#last = [this.#random.integerBelow(this.#users), (this.#last[1] + step) % length];
    return this.#last;
  }

  /** A correction of a request, and then the request again. */
  #thereAndBack(request: PlannedRequest): PlannedRequest[] {
    const correct = (reading: Reading) => ({ ...reading, values: reading.values.map((value) => value + 1) });
    const waitMs = this.#random.isWithinPercent(30) ? 0 : 1 + this.#random.integerBelow(2_000);
    return [
      { ...request, sent: request.sent.map(correct), waitMs },
      { ...request, waitMs },
    ];
  }

  /** Readings and deletions of some instants; sometimes an instant twice, or both sent and deleted. */
  #records(owner: number): [sent: Reading[], deleted: Reading[]] {
    const [sent, deleted]: [Reading[], Reading[]] = [[], []];
    for (const resource of this.#resources.filter(() => this.#random.isWithinPercent(65)))
      for (const instant of this.#instants.filter(() => this.#random.isWithinPercent(70))) {
        const isDeleted = this.#random.isWithinPercent(18);
        if (isDeleted) deleted.push(this.#reading(resource, T0 + instant, owner));
        if (!isDeleted || this.#random.isWithinPercent(15)) sent.push(this.#reading(resource, T0 + instant, owner));
        if (this.#random.isWithinPercent(6)) sent.push(this.#reading(resource, T0 + instant, owner));
      }
    if (sent.length + deleted.length > 0) return [sent, deleted];
    return [[this.#reading(this.#resources[0]!, T0 + this.#instants[0]!, owner)], []];
  }

  /** A reading whose values no other owner sends, unless the recorders share them. */
  #reading(resource: DrillResource, startMs: number, owner: number): Reading {
    const value = 10 + owner * OWNER_STEP + this.#random.integerBelow(this.#variants);
    const types = identityTypes[resource] ?? (resource === "glucose" ? [null, "fingerprick", "automatic"] : [null]);
    return {
      resource,
      startMs,
      endMs: resource === "steps" ? startMs + 60_000 * (1 + this.#random.integerBelow(3)) : startMs,
      values: resource === "blood_pressure" ? [value + 60, value] : [value],
      type: this.#random.pick(types),
      offsetS: this.#random.pick(this.#offsetsS),
    };
  }

  #longHistory(owner: number): Reading[] {
    const starts = Array.from({ length: LONG_HISTORY }, (_, place) => T0 + place * HALF_HOUR);
    return starts.map((startMs) => this.#reading("heartrate", startMs, owner));
  }
}
