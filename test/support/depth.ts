/** Variable that `npm run test:deep` sets. */
export const DEPTH_VARIABLE = "TEST_DEPTH";

/** Tag of tests that `npm run test:deep` runs and `npm test` leaves out: `test("...", { tags: "deep" }, ...)`. */
export const DEEP_TAG = "deep";

/** Whether a drill runs to its full length. */
export const isDeep = process.env[DEPTH_VARIABLE] === "deep";

/** Chooses the length of a drill: a seeded share in `npm test`, all of it in `npm run test:deep`. */
export const chooseCount = (quick: number, deep: number): number => (isDeep ? deep : quick);
