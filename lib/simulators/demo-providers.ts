import type { InProcessProviders } from "./providers/in-process.ts";

let loaded: Promise<InProcessProviders> | undefined;

/**
 * The simulated providers of this process, which are loaded by the first demo connection that needs them and by nothing
 * else. @param now epoch milliseconds.
 */
export function demoProviders(now: () => number): Promise<InProcessProviders> {
  loaded ??= import("./providers/in-process.ts").then(({ InProcessProviders: Made }) => new Made(now));
  return loaded;
}
