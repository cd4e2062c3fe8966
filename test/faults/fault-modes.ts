import { type KeyedRandom, randomBelow, randomChoice } from "../simulation/keyed-random.ts";
import type { TrialFaults } from "./fault-trials.ts";
import { type FaultMode, faultModes } from "./trial-runner.ts";

/** For invocations with more calls than this, only the first call of each kind gets a fault, in one mode. */
const CALL_THRESHOLD = 40;

const failingModes = ["fail_before", "fail_after", "die"] as const satisfies readonly FaultMode[];

/** One failing mode at each call, and the next mode at the next call. */
export function alternatingModes(operation: string, index: number, calls: readonly string[]): readonly FaultMode[] {
  const isRepeated = calls.indexOf(calls[index - 1] ?? "") < index - 1;
  if (calls.length > CALL_THRESHOLD && isRepeated) return [];
  return [failingModes[(operation.length + index) % failingModes.length] ?? "die"];
}

/** All modes at each call, unless the number of calls is too large. */
export const allModes = (operation: string, index: number, calls: readonly string[]): readonly FaultMode[] =>
  calls.length > CALL_THRESHOLD ? alternatingModes(operation, index, calls) : faultModes;

/** Draws pairs of faults: one that fails a call of an invocation, and one at any call of its first repetition. */
export function drawPairs(random: KeyedRandom, about: string, calls: number, count: number): TrialFaults[] {
  const drawIndex = (name: string) => 1 + randomBelow(random, `${about} ${name}`, calls);
  return Array.from({ length: calls > 0 ? count : 0 }, (_, pair) => [
    { index: drawIndex(`${pair} first`), mode: randomChoice(random, `${about} ${pair} mode`, failingModes) },
    { index: drawIndex(`${pair} second`), mode: randomChoice(random, `${about} ${pair} next`, faultModes) },
  ]);
}
