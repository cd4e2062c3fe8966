import { type Mode, modes } from "./rehearsal.ts";

/** For invocations with more calls than this, only the first call of each kind gets a fault, in one mode. */
const MANY_CALLS = 40;

const failing: readonly Mode[] = ["fail_before", "fail_after", "die"];

/** One failing mode at each call, and the next mode at the next call. */
export function oneMode(operation: string, index: number, calls: readonly string[]): readonly Mode[] {
  const isRepeated = calls.indexOf(calls[index - 1] ?? "") < index - 1;
  if (calls.length > MANY_CALLS && isRepeated) return [];
  return [failing[(operation.length + index) % failing.length] ?? "die"];
}

/** All modes at each call, unless the number of calls is too large. */
export const everyMode = (operation: string, index: number, calls: readonly string[]): readonly Mode[] =>
  calls.length > MANY_CALLS ? oneMode(operation, index, calls) : modes;
