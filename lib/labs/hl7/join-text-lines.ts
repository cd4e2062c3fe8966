import { codeOf } from "../../domain/results/distinguish-repeats.ts";
import type { Observation } from "../../domain/results/lab-report.ts";
import type { ReadObservation } from "./read-observation.ts";

/**
 * Joins observations that are lines of one text. Laboratories send a report of pathology as one OBX segment for each
 * line, all with the same code and sub-id.
 */
export function joinTextLines(read: readonly ReadObservation[]): ReadObservation[] {
  const runs: [ReadObservation, ...ReadObservation[]][] = [];
  for (const one of read) {
    const run = runs.at(-1);
    if (run && continues(one, run[0])) run.push(one);
    else runs.push([one]);
  }
  return runs.map((run) => (run.length === 1 ? run[0] : joinRun(run)));
}

const continues = (one: ReadObservation, first: ReadObservation): boolean =>
  one.isText && first.isText && one.subId === first.subId && codeOf(one.observation) === codeOf(first.observation);

function joinRun(run: readonly [ReadObservation, ...ReadObservation[]]): ReadObservation {
  const lines = run.map(({ observation }) => observation);
  const notes = lines.flatMap(({ note }) => note ?? []);
  const observation: Observation = {
    ...run[0].observation,
    type: "comment",
    value: lines.map(({ value }) => value).join("\n"),
    note: notes.join("\n") || null,
    flag: lines.find(({ flag }) => flag !== "")?.flag ?? "",
    status: joinStates(lines.map(({ status }) => status)),
  };
  return { ...run[0], observation };
}

/** A text is preliminary while a line is, and corrected if a line was. */
const joinStates = (states: readonly Observation["status"][]): Observation["status"] =>
  (["preliminary", "corrected", "final"] as const).find((state) => states.includes(state)) ??
  (states.includes("withdrawn") ? "withdrawn" : "cancelled");
