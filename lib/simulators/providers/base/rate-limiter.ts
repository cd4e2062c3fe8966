/** A rate limit: a maximum number of requests per fixed window, per token or for the whole application. */
export interface RateLimit {
  readonly seconds: number;
  readonly limit: number;
  readonly scope: "token" | "application";
}

/** The state of a rate limit. */
export interface RateLimitState extends RateLimit {
  /** Requests in the window, including the current one. */
  readonly used: number;
  /** Seconds until the window resets. */
  readonly resetSeconds: number;
}

/** Counts requests in fixed windows, aligned to multiples of their length. */
export class RateLimiter {
  readonly #windows: readonly RateLimit[];
  readonly #counts = new Map<string, { begin: number; used: number }>();

  constructor(windows: readonly RateLimit[]) {
    this.#windows = windows;
  }

  /** Counts a request. @returns the state of each rate limit. */
  count(token: string, nowMs: number): RateLimitState[] {
    return this.#windows.map((window) => {
      const key = `${window.seconds} ${window.scope === "token" ? token : ""}`;
      const begin = Math.floor(nowMs / 1000 / window.seconds);
      const before = this.#counts.get(key);
      const used = before?.begin === begin ? before.used + 1 : 1;
      this.#counts.set(key, { begin, used });
      return { ...window, used, resetSeconds: Math.ceil((begin + 1) * window.seconds - nowMs / 1000) };
    });
  }
}

/** The exceeded rate limit with the latest reset; undefined if none is exceeded. */
export function findExceededLimit(states: readonly RateLimitState[]): RateLimitState | undefined {
  return states
    .filter(({ used, limit }) => used > limit)
    .reduce<RateLimitState | undefined>((longest, state) => {
      return longest && longest.resetSeconds >= state.resetSeconds ? longest : state;
    }, undefined);
}

/** Remaining requests of a window. */
export function remainingRequests({ limit: most, used }: RateLimitState): number {
  return Math.max(0, most - used);
}
