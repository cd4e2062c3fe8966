import type { IsKnownName } from "./join-names.ts";
import type { ReadLine } from "./read-line.ts";
import { isResultWords } from "./read-value.ts";
import { isLabelled } from "./report-labels.ts";

/** How many rows of known tests must have their values at one place, and how exactly, in points. */
const FEWEST_ALIGNED = 3;
const EXACT = 1.5;

/** Tells whether the value of a line stands where those of known tests do, left or right. */
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
