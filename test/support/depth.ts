/** Variable that `npm run test:deep` and `npm run test:full` set to their names. */
export const DEPTH_VARIABLE = "TEST_DEPTH";

/** Tag of tests that `npm run test:deep` runs and `npm test` leaves out: `test("...", { tags: "deep" }, ...)`. */
export const DEEP_TAG = "deep";
/**
 * Tag of files with drills of which `npm test` runs a share. The first line of such a file is `// @module-tag share`, and
 * that of a `*.deep.test.ts` file is `// @module-tag deep`.
 */
export const SHARE_TAG = "share";
/** Tag of files whose tests build on each other, so that a deep test needs those before it. */
export const STORY_TAG = "story";
/** Tag of tests that only `npm run test:full` runs. */
export const FULL_TAG = "full";

/** Whether a drill runs to its full length. */
const isFull = process.env[DEPTH_VARIABLE] === FULL_TAG;

/** Whether a drill runs longer than in `npm test`. */
export const isDeep = isFull || process.env[DEPTH_VARIABLE] === DEEP_TAG;

/** Chooses the length of a drill: a seeded share in `npm test`, more in `npm run test:deep`, all in `npm run test:full`. */
export const chooseCount = (quick: number, deep: number, full = deep): number =>
  isFull ? full : isDeep ? deep : quick;
