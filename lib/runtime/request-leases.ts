import { utcDate } from "../domain/usage/usage-day.ts";
import type { Lease, LeaseWish } from "../store/usage.ts";

/** Where leases are taken and what they let through is counted. */
export interface LeaseCounter {
  takeRequests(teamId: string, wish: LeaseWish): Promise<Lease>;
  addRequests(teamId: string, date: string, count: number): Promise<void>;
}

/** How a team stands in this container. */
interface Standing {
  /** Epoch seconds; what is left of a lease is worth nothing in the next one. */
  second: number;
  tokens: number;
  /** Requests that came in this second, and in the one before. */
  asked: number;
  askedBefore: number;
  isReached: boolean;
  isOpened: boolean;
  /** Requests let through that no write has counted. */
  uncounted: { date: string; count: number };
  taking: Promise<unknown> | undefined;
}

/** No container takes more than this share of a team's limit at once, so that others find something too. */
const LARGEST_SHARE = 1 / 4;
/** The part of a second from which on the requests that came tell how many more will. */
const SURE_PART = 0.1;
const MOST_TEAMS = 1_000;

/**
 * The requests that this container may let through. It takes some for the rest of a second by one write, as many as it will
 * most likely need, and lets them through without asking; what it has let through it counts by its next write.
 */
export class RequestLeases {
  readonly #counter: LeaseCounter;
  readonly #now: () => number;
  readonly #standings = new Map<string, Standing>();

  /** @param now epoch milliseconds. */
  constructor(counter: LeaseCounter, now: () => number) {
    this.#counter = counter;
    this.#now = now;
  }

  /**
   * Lets one request through, unless the team has reached its limit (requests a second).
   * @throws whatever kept the lease from being taken.
   */
  async spend(teamId: string, limit: number): Promise<boolean> {
    const standing = this.#standingOf(teamId);
    standing.asked++;
    for (;;) {
      roll(standing, this.#now());
      if (standing.tokens > 0) {
        standing.tokens--;
        standing.uncounted.count++;
        return true;
      }
      if (standing.isReached) return false;
      // Who waits for somebody else's lease looks again; if that failed it tries for itself.
      if (standing.taking) await standing.taking.catch(() => undefined);
      else if (await this.#take(teamId, standing, limit)) return true;
    }
  }

  /** Counts a request that was let through without a lease. */
  note(teamId: string): void {
    this.#standingOf(teamId).uncounted.count++;
  }

  /** Takes a lease and spends its first token. @returns false when there is none to be had. */
  async #take(teamId: string, standing: Standing, limit: number): Promise<boolean> {
    const { second } = standing;
    const taking = this.#lease(teamId, standing, limit);
    standing.taking = taking;
    try {
      const { tokens, isOpened } = await taking;
      standing.isOpened = isOpened;
      if (standing.second === second) {
        standing.isReached = tokens === 0;
        standing.tokens += Math.max(0, tokens - 1);
      }
      return tokens > 0;
    } finally {
      standing.taking = undefined;
    }
  }

  async #lease(teamId: string, standing: Standing, limit: number): Promise<Lease> {
    const now = this.#now();
    const date = utcDate(now);
    const { uncounted, second, isOpened } = standing;
    if (uncounted.date !== date) {
      if (uncounted.count > 0) await this.#counter.addRequests(teamId, uncounted.date, uncounted.count);
      standing.uncounted = { date, count: 0 };
    }
    const counted = standing.uncounted.count;
    const most = Math.max(1, Math.floor(limit * LARGEST_SHARE));
    const tokens = Math.min(most, expected(standing, now));
    // The request that asks is let through if there is a lease at all.
    const lease = await this.#counter.takeRequests(teamId, { second, tokens, limit, count: counted + 1, isOpened });
    if (lease.tokens > 0) standing.uncounted.count -= counted;
    return lease;
  }

  #standingOf(teamId: string): Standing {
    const known = this.#standings.get(teamId);
    if (known) return known;
    const [oldest] = this.#standings.keys();
    if (oldest !== undefined && this.#standings.size >= MOST_TEAMS) this.#standings.delete(oldest);
    const now = this.#now();
    const none = { tokens: 0, asked: 0, askedBefore: 0, isReached: false, isOpened: false, taking: undefined };
    const standing = { second: Math.floor(now / 1000), uncounted: { date: utcDate(now), count: 0 }, ...none };
    this.#standings.set(teamId, standing);
    return standing;
  }
}

/** Begins the second of this instant. */
function roll(standing: Standing, now: number): void {
  const second = Math.floor(now / 1000);
  if (second === standing.second) return;
  // The request that is asked for belongs to the second in which it is let through.
  standing.askedBefore = second === standing.second + 1 ? standing.asked - 1 : 0;
  Object.assign(standing, { second, tokens: 0, asked: 1, isReached: false });
}

/** How many requests will most likely come in the rest of the second, the one that asks included. */
function expected({ asked, askedBefore }: Standing, now: number): number {
  const passed = (now % 1000) / 1000;
  const perSecond = asked > 1 ? asked / Math.max(passed, SURE_PART) : askedBefore;
  return Math.max(1, Math.ceil(perSecond * (1 - passed)));
}
