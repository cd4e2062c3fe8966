import { test } from "vitest";

/** Variable that `npm run test:deep` sets. */
export const DEPTH_VARIABLE = "TEST_DEPTH";

/** Whether a drill runs to its full length. */
export const isDeep = process.env[DEPTH_VARIABLE] === "deep";

/** Chooses the length of a drill: a seeded share in `npm test`, all of it in `npm run test:deep`. */
export const chooseCount = (quick: number, deep: number): number => (isDeep ? deep : quick);

/** Registers a test that `npm run test:deep` runs and `npm test` leaves out, in a file with quick tests beside it. */
export function deepTest(name: string, run: () => Promise<void>, options: { readonly timeout?: number } = {}): void {
  if (isDeep) test(name, options, run);
}
