/** So many requests in so many seconds, counted for each token or for the whole application. */
export interface LimitWindow {
  readonly seconds: number;
  readonly most: number;
  readonly of: "token" | "application";
}

/** How much of a window is used. */
export interface WindowState extends LimitWindow {
  /** Requests so far, the present one among them. */
  readonly used: number;
  /** Until the window begins anew. */
  readonly resetSeconds: number;
}

/** Counts requests in fixed windows, which begin at whole multiples of their length. */
export class RateLimits {
  readonly #windows: readonly LimitWindow[];
  readonly #counts = new Map<string, { begin: number; used: number }>();

  constructor(windows: readonly LimitWindow[]) {
    this.#windows = windows;
  }

  /** Counts a request. @returns the state of each window. */
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

/** The window that is used up for longest; undefined while all have room. */
export function exceeded(states: readonly WindowState[]): WindowState | undefined {
  return states
    .filter(({ used, most }) => used > most)
    .reduce<WindowState | undefined>((longest, state) => {
      return longest && longest.resetSeconds >= state.resetSeconds ? longest : state;
    }, undefined);
}

/** The requests that a window still takes. */
export function remaining({ most, used }: WindowState): number {
  return Math.max(0, most - used);
}
