import type { SourcePriorities } from "../../../lib/domain/queries/rows/rows.ts";
import type { ReferenceRow, TimeSpan } from "./reference-rows.ts";
import { compareSources } from "./source-priorities.ts";

const isSameSource = (a: ReferenceRow, b: ReferenceRow) => a.provider === b.provider && a.type === b.type;

/** The share of a span, 0 to 1, that other spans leave uncovered. Tests coverage between any two bounds. */
function uncoveredShare({ from, to }: TimeSpan, others: readonly TimeSpan[]): number {
  const inside = others.flatMap((span) => [span.from, span.to]).filter((bound) => bound > from && bound < to);
  const bounds = [...new Set([from, ...inside, to])].toSorted((a, b) => a - b);
  let left = 0;
  for (const [index, begin] of bounds.entries()) {
    const end = bounds[index + 1];
    if (end === undefined) break;
    if (!others.some((span) => span.from <= begin && span.to >= end)) left += end - begin;
  }
  return left / (to - from);
}

/** The columns of an amount that scale with its share of the time. */
const amounts: readonly string[] = ["value", "duration"];

function scaleRow(row: ReferenceRow, share: number): ReferenceRow {
  const cells = amounts.flatMap((name): [string, unknown][] => {
    const value = row.cells[name];
    return typeof value === "number" ? [[name, value * share]] : [];
  });
  return { ...row, cells: { ...row.cells, ...Object.fromEntries(cells) } };
}

/**
 * Merges rows: the best source wins each interval, and the next source fills gaps. An amount keeps the share that lies
 * in gaps. A session stays if at least half of it does; other rows stay if they start in a gap.
 * @param isRival whether two rows compete at all: groups by source keep their sources separate.
 */
export function mergeIntervals(
  rows: readonly ReferenceRow[],
  priorities: SourcePriorities,
  isRival: (a: ReferenceRow, b: ReferenceRow) => boolean,
): ReferenceRow[] {
  return rows.flatMap((row) => {
    const better = rows.filter(
      (other) => !isSameSource(other, row) && isRival(other, row) && compareSources(other, row, priorities) < 0,
    );
    const covered = better.map(({ span }) => span);
    const share = uncoveredShare(row.span, covered);
    if (row.kind === "amount") return share === 0 ? [] : share === 1 ? [row] : [scaleRow(row, share)];
    if (row.kind === "session") return share >= 0.5 ? [row] : [];
    return covered.some(({ from, to }) => from <= row.at && row.at < to) ? [] : [row];
  });
}
