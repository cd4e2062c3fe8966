import { sleepStream } from "./sleep-stream.ts";
import type { StreamKind } from "./stream-kind.ts";
import { workoutStream } from "./workout-stream.ts";

/** The supported kinds of stream. */
export const streamKinds: readonly StreamKind[] = [workoutStream, sleepStream];

/** Finds a kind by its name among the resources of a batch. */
export function findStreamKind(name: string): StreamKind | undefined {
  return streamKinds.find((kind) => kind.name === name);
}
