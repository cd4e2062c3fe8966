import { codeOf } from "../../domain/results/distinguish-repeats.ts";
import type { Observation } from "../../domain/results/lab-report.ts";
import type { ReadObservation } from "./read-observation.ts";

/**
 * Joins observations that are lines of one text. Laboratories send a report of pathology as one OBX segment for each
 * line, all with the same code and sub-id.
 */
export function joinTextLines(read: readonly ReadObservation[]): ReadObservation[] {
  const joined: ReadObservation[] = [];
  for (const one of read) {
    const before = joined.at(-1);
    if (before && continues(one, before)) joined[joined.length - 1] = append(before, one);
    else joined.push(one);
  }
  return joined;
}

const continues = (one: ReadObservation, before: ReadObservation): boolean =>
  one.isText && before.isText && one.subId === before.subId && codeOf(one.observation) === codeOf(before.observation);

function append(before: ReadObservation, { observation: next }: ReadObservation): ReadObservation {
  const { observation } = before;
  const join = (...lines: (string | null)[]) => lines.filter((line) => line !== null).join("\n");
  const observations: Observation = {
    ...observation,
    type: "comment",
    value: join(observation.value, next.value),
    note: join(observation.note, next.note) || null,
    flag: observation.flag || next.flag,
    status: joinStates(observation.status, next.status),
  };
  return { ...before, observation: observations };
}

/** A text is preliminary while a line is, and corrected if a line was. */
function joinStates(a: Observation["status"], b: Observation["status"]): Observation["status"] {
  const states = [a, b];
  return (["preliminary", "corrected", "final"] as const).find((state) => states.includes(state)) ?? "cancelled";
}
