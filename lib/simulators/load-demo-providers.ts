import type { InProcessProviders } from "./providers/in-process-providers.ts";

let loaded: Promise<InProcessProviders> | undefined;

/**
 * Loads the simulated providers of this process on first use, which only demo connections need.
 * @param now returns epoch milliseconds.
 */
export function loadDemoProviders(now: () => number): Promise<InProcessProviders> {
  loaded ??= import("./providers/in-process-providers.ts").then(({ InProcessProviders: Made }) => new Made(now));
  return loaded;
}
