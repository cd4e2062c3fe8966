import { sleepStream } from "./sleep-stream.ts";
import type { StreamKind } from "./stream-kind.ts";
import { workoutStream } from "./workout-stream.ts";

/** The kinds of stream that can be taken in and answered. */
export const streamKinds: readonly StreamKind[] = [workoutStream, sleepStream];

/** The kind with this name among the resources of a batch, or undefined. */
export function findStreamKind(name: string): StreamKind | undefined {
  return streamKinds.find((kind) => kind.name === name);
}
