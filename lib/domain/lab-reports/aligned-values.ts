import type { IsKnownName } from "./join-names.ts";
import type { ReadLine } from "./read-line.ts";
import { isResultWords } from "./read-value.ts";
import { isLabelled } from "./report-labels.ts";

/** Minimum number of rows with known tests whose values align, and the tolerance of that alignment in points. */
const FEWEST_ALIGNED = 3;
const EXACT = 1.5;

/** Returns a predicate: does the value of a line align, left or right, with the values of known tests? */
export function alignment(reads: readonly ReadLine[], isKnown: IsKnownName): (read: ReadLine) => boolean {
  const places = reads.flatMap(({ name, parts, valueAt }) =>
    parts?.value.kind === "number" && valueAt && isKnown(name) ? [valueAt] : [],
  );
  return ({ name, parts, valueAt, line }) => {
    if (
      !parts ||
      !valueAt ||
      !/\p{L}{2}/u.test(name) ||
      isLabelled(line.text) ||
      isLabelled(name) ||
      name.length > LONGEST_NAME
    )
      return false;
    if (parts.value.kind === "words" && !isResultWords(parts.value.value)) return false;
    const count = (side: "left" | "right") =>
      places.filter((place) => Math.abs(place[side] - valueAt[side]) < EXACT).length;
    return Math.max(count("left"), count("right")) >= FEWEST_ALIGNED;
  };
}
const LONGEST_NAME = 60;
