/** Versions stay a day longer than they are asked for, so that none goes while an answer is being made of it. */
const MARGIN_MS = 86_400_000;

/** When a version of what stood until an instant may go (epoch seconds). @param keptMs for how long versions are kept. */
export const versionExpiry = (untilMs: number, keptMs: number): number =>
  Math.ceil((untilMs + keptMs + MARGIN_MS) / 1_000);
