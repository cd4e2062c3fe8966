/** A rate limit: a maximum number of requests per fixed window, per token or for the whole application. */
export interface LimitWindow {
  readonly seconds: number;
  readonly most: number;
  readonly of: "token" | "application";
}

/** The state of a rate limit. */
export interface WindowState extends LimitWindow {
  /** Requests in the window, including the current one. */
  readonly used: number;
  /** Seconds until the window resets. */
  readonly resetSeconds: number;
}

/** Counts requests in fixed windows, aligned to multiples of their length. */
export class RateLimits {
  readonly #windows: readonly LimitWindow[];
  readonly #counts = new Map<string, { begin: number; used: number }>();

  constructor(windows: readonly LimitWindow[]) {
    this.#windows = windows;
  }

  /** Counts a request. @returns the state of each rate limit. */
  count(token: string, nowMs: number): WindowState[] {
    return this.#windows.map((window) => {
      const key = `${window.seconds} ${window.of === "token" ? token : ""}`;
      const begin = Math.floor(nowMs / 1000 / window.seconds);
      const before = this.#counts.get(key);
      const used = before?.begin === begin ? before.used + 1 : 1;
      this.#counts.set(key, { begin, used });
      return { ...window, used, resetSeconds: Math.ceil((begin + 1) * window.seconds - nowMs / 1000) };
    });
  }
}

/** The exceeded rate limit with the latest reset; undefined if none is exceeded. */
export function exceeded(states: readonly WindowState[]): WindowState | undefined {
  return states
    .filter(({ used, most }) => used > most)
    .reduce<WindowState | undefined>((longest, state) => {
      return longest && longest.resetSeconds >= state.resetSeconds ? longest : state;
    }, undefined);
}

/** Remaining requests of a window. */
export function remaining({ most, used }: WindowState): number {
  return Math.max(0, most - used);
}
