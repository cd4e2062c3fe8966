/** The bounds of a reference range; null for no bound. */
export interface RangeBounds {
  readonly min: number | null;
  readonly max: number | null;
  /** Whether the bound itself is outside the range, as in `<0.35`. */
  readonly excludesMin: boolean;
  readonly excludesMax: boolean;
}

/** A measured number; with a comparator (`<`, `<=`, `≤`, `>` ...) one end of the numbers that it may be. */
export interface MeasuredNumber {
  readonly number: number;
  readonly comparator: string | null;
}

/** Whether a value lies above and below its range; null without that bound, or if the value does not decide it. */
export interface RangePosition {
  readonly isAbove: boolean | null;
  readonly isBelow: boolean | null;
}

/** An end of an interval. */
interface End {
  readonly at: number;
  readonly isIncluded: boolean;
}

/**
 * Compares a number with a reference range. A comparator stands for all numbers on its side: `>100` lies above 30-100,
 * since all of them do, and `<3` is undecided for `<1`, since some of them do. Such numbers reach down to zero, and
 * further only where the number or the range is negative.
 */
export function compareWithRange(value: MeasuredNumber, range: RangeBounds): RangePosition {
  const [low, high] = possibleNumbers(value, range);
  const { min, max, excludesMin, excludesMax } = range;
  return {
    isAbove: max === null ? null : isBeyond(low, high, { at: max, isIncluded: !excludesMax }),
    isBelow: min === null ? null : isBeyond(negated(high), negated(low), { at: -min, isIncluded: !excludesMin }),
  };
}

function possibleNumbers({ number, comparator }: MeasuredNumber, { min, max }: RangeBounds): readonly [End, End] {
  const end: End = { at: number, isIncluded: comparator === null || /[=≤≥]/.test(comparator) };
  if (comparator === null) return [end, end];
  if (/[>≥]/.test(comparator)) return [end, { at: Number.POSITIVE_INFINITY, isIncluded: false }];
  const isNegative = number <= 0 || (min ?? 0) < 0 || (max ?? 0) < 0;
  return [isNegative ? { at: Number.NEGATIVE_INFINITY, isIncluded: false } : { at: 0, isIncluded: true }, end];
}

const negated = ({ at, isIncluded }: End): End => ({ at: -at, isIncluded });

/** Whether all numbers between two ends exceed an upper bound; null if only some do. */
function isBeyond(low: End, high: End, bound: End): boolean | null {
  if (low.at > bound.at || (low.at === bound.at && !(low.isIncluded && bound.isIncluded))) return true;
  const isWithin = high.at < bound.at || (high.at === bound.at && (bound.isIncluded || !high.isIncluded));
  return isWithin ? false : null;
}

/** The interpretation of a value by its position; null without bounds, or if a bound is undecided. */
export function interpretPosition({ isAbove, isBelow }: RangePosition, { min, max }: RangeBounds) {
  if (isAbove || isBelow) return "abnormal";
  const isDecided = (min === null || isBelow === false) && (max === null || isAbove === false);
  return isDecided && (min !== null || max !== null) ? "normal" : null;
}
