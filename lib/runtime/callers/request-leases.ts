import { utcDate } from "../../domain/usage/usage-day.ts";
import type { RequestLease, RequestLeaseInput } from "../../store/usage/usage.ts";
import { BoundedMap } from "../bounded-map.ts";

/** Grants request leases and counts admitted requests. */
export interface LeaseCounter {
  leaseRequests(teamId: string, wish: RequestLeaseInput): Promise<RequestLease>;
  addRequests(teamId: string, date: string, count: number): Promise<void>;
}

/** The lease state of a team in this container. */
interface TeamLeaseState {
  /** Epoch seconds. The tokens of a lease are valid in this second only. */
  second: number;
  tokens: number;
  /** Requests that arrived in this second, and in the previous one. */
  asked: number;
  askedBefore: number;
  isReached: boolean;
  isOpened: boolean;
  /** Admitted requests that no write has counted yet. */
  uncounted: { date: string; count: number };
  taking: Promise<unknown> | undefined;
}

/** Maximum share of a team's limit in one lease, so that other containers get tokens too. */
const MAX_SHARE_PER_LEASE = 1 / 4;
/** Minimum elapsed fraction of a second for extrapolating the number of requests. */
const MIN_ELAPSED_FRACTION = 0.1;
const MAX_TEAMS = 1_000;

/**
 * The request leases of this container (a token bucket per second). One write leases the tokens that the container most
 * likely needs for the rest of the second. Requests then spend tokens locally, and the next write counts them.
 */
export class RequestLeases {
  readonly #counter: LeaseCounter;
  readonly #now: () => number;
  readonly #standings = new BoundedMap<TeamLeaseState>(MAX_TEAMS);

  /** @param now epoch milliseconds. */
  constructor(counter: LeaseCounter, now: () => number) {
    this.#counter = counter;
    this.#now = now;
  }

  /**
   * Admits one request, unless the team has reached its limit (requests per second).
   * @throws the error of a failed lease.
   */
  async tryAcquire(teamId: string, limit: number): Promise<boolean> {
    const standing = this.#standingOf(teamId);
    standing.asked++;
    for (;;) {
      startSecond(standing, this.#now());
      if (standing.tokens > 0) {
        standing.tokens--;
        standing.uncounted.count++;
        return true;
      }
      if (standing.isReached) return false;
      // Wait for a lease in progress and check again; if that lease failed, try one of this request's own.
      if (standing.taking) await standing.taking.catch(() => undefined);
      else if (await this.#take(teamId, standing, limit)) return true;
    }
  }

  /** Counts a request that was admitted without a lease. */
  countUnleased(teamId: string): void {
    this.#standingOf(teamId).uncounted.count++;
  }

  /** Takes a lease and spends its first token. @returns false if no tokens are left. */
  async #take(teamId: string, standing: TeamLeaseState, limit: number): Promise<boolean> {
    const { second } = standing;
    const taking = this.#lease(teamId, standing, limit);
    standing.taking = taking;
    try {
      const { tokens, isWindowOpen } = await taking;
      standing.isOpened = isWindowOpen;
      if (standing.second === second) {
        standing.isReached = tokens === 0;
        standing.tokens += Math.max(0, tokens - 1);
      }
      return tokens > 0;
    } finally {
      standing.taking = undefined;
    }
  }

  async #lease(teamId: string, standing: TeamLeaseState, limit: number): Promise<RequestLease> {
    const now = this.#now();
    const date = utcDate(now);
    const { uncounted, second, isOpened } = standing;
    if (uncounted.date !== date) {
      if (uncounted.count > 0) await this.#counter.addRequests(teamId, uncounted.date, uncounted.count);
      standing.uncounted = { date, count: 0 };
    }
    const counted = standing.uncounted.count;
    const most = Math.max(1, Math.floor(limit * MAX_SHARE_PER_LEASE));
    const tokens = Math.min(most, expectedRequests(standing, now));
    // The current request counts too: any granted lease admits it.
    const lease = await this.#counter.leaseRequests(teamId, {
      second,
      tokens,
      limit,
      count: counted + 1,
      isWindowOpen: isOpened,
    });
    if (lease.tokens > 0) standing.uncounted.count -= counted;
    return lease;
  }

  #standingOf(teamId: string): TeamLeaseState {
    const known = this.#standings.get(teamId);
    if (known) return known;
    const now = this.#now();
    const none = { tokens: 0, asked: 0, askedBefore: 0, isReached: false, isOpened: false, taking: undefined };
    const standing = { second: Math.floor(now / 1000), uncounted: { date: utcDate(now), count: 0 }, ...none };
    this.#standings.set(teamId, standing);
    return standing;
  }
}

/** Starts a new second if `now` is past the current one. */
function startSecond(standing: TeamLeaseState, now: number): void {
  const second = Math.floor(now / 1000);
  if (second === standing.second) return;
  // The current request belongs to the second that admits it.
  standing.askedBefore = second === standing.second + 1 ? standing.asked - 1 : 0;
  Object.assign(standing, { second, tokens: 0, asked: 1, isReached: false });
}

/** Estimates the requests of the rest of the second, including the current one. */
function expectedRequests({ asked, askedBefore }: TeamLeaseState, now: number): number {
  const passed = (now % 1000) / 1000;
  const perSecond = asked > 1 ? asked / Math.max(passed, MIN_ELAPSED_FRACTION) : askedBefore;
  return Math.max(1, Math.ceil(perSecond * (1 - passed)));
}
