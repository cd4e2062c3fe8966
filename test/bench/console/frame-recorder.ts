import type { Page } from "playwright-core";

type RecordingWindow = Window & { frameDeltas: number[] };

/** Starts to record the distance of each frame of a page from the one before. */
export const startFrames = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const deltas: number[] = [];
    (window as unknown as RecordingWindow).frameDeltas = deltas;
    let before: number | undefined;
    const next = (now: number) => {
      if (before !== undefined) deltas.push(now - before);
      before = now;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });

/** Returns the distances of the frames since the last call in milliseconds, and forgets them. */
export const takeFrames = (page: Page): Promise<number[]> =>
  page.evaluate(() => (window as unknown as RecordingWindow).frameDeltas.splice(0));
