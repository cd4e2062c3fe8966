import type { IsKnownName } from "../names/join-name-lines.ts";
import { startsWithHeaderLabel } from "../page/header-labels.ts";
import { isQualitativeResult } from "../row/read-value.ts";
import type { LineReading } from "./line-reading.ts";

/** Minimum number of rows with known tests whose values align, and the tolerance of that alignment in points. */
const MIN_ALIGNED_ROWS = 3;
const ALIGNMENT_TOLERANCE_PT = 1.5;

/** Returns a predicate: does the value of a line align, left or right, with the values of known tests? */
export function valueAlignmentCheck(
  reads: readonly LineReading[],
  isKnown: IsKnownName,
): (read: LineReading) => boolean {
  const places = reads.flatMap(({ name, parts, valueSpan }) =>
    parts?.value.kind === "number" && valueSpan && isKnown(name) ? [valueSpan] : [],
  );
  return ({ name, parts, valueSpan, line }) => {
    if (
      !parts ||
      !valueSpan ||
      !/\p{L}{2}/u.test(name) ||
      startsWithHeaderLabel(line.text) ||
      startsWithHeaderLabel(name) ||
      name.length > MAX_NAME_LENGTH
    )
      return false;
    if (parts.value.kind === "words" && !isQualitativeResult(parts.value.value)) return false;
    const count = (side: "left" | "right") =>
      places.filter((place) => Math.abs(place[side] - valueSpan[side]) < ALIGNMENT_TOLERANCE_PT).length;
    return Math.max(count("left"), count("right")) >= MIN_ALIGNED_ROWS;
  };
}
const MAX_NAME_LENGTH = 60;
