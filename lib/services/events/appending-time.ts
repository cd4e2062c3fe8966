/** Maximum duration of a function that stores a batch and appends its events to the feed. */
const BATCH_RUN_MS = 60_000;
/** Maximum difference of two clocks. */
const CLOCK_DIFFERENCE_MS = 5_000;

/** Returns when a batch can have appended an event to the feed, epoch ms. @param createdAtMs creation of the event. */
export const appendingTime = (createdAtMs: number) => ({
  fromMs: createdAtMs - CLOCK_DIFFERENCE_MS,
  toMs: createdAtMs + BATCH_RUN_MS + CLOCK_DIFFERENCE_MS,
});
