import { type FaultMode, faultModes } from "./trial-runner.ts";

/** For invocations with more calls than this, only the first call of each kind gets a fault, in one mode. */
const CALL_THRESHOLD = 40;

const failingModes: readonly FaultMode[] = ["fail_before", "fail_after", "die"];

/** One failing mode at each call, and the next mode at the next call. */
export function alternatingModes(operation: string, index: number, calls: readonly string[]): readonly FaultMode[] {
  const isRepeated = calls.indexOf(calls[index - 1] ?? "") < index - 1;
  if (calls.length > CALL_THRESHOLD && isRepeated) return [];
  return [failingModes[(operation.length + index) % failingModes.length] ?? "die"];
}

/** All modes at each call, unless the number of calls is too large. */
export const allModes = (operation: string, index: number, calls: readonly string[]): readonly FaultMode[] =>
  calls.length > CALL_THRESHOLD ? alternatingModes(operation, index, calls) : faultModes;
