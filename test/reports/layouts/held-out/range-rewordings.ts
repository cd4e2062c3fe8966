import type { PrintedRow } from "../../content/printed-row.ts";
import type { Rewording } from "../../content/rewordings.ts";

/** Formats a bound with the decimals of its unit. */
const formatBound = ({ measured: { unit } }: PrintedRow, number: number): string => number.toFixed(unit.decimals);

/** The smallest difference between two printed numbers. */
const stepOf = ({ measured: { unit } }: PrintedRow): number => 10 ** -unit.decimals;

const withRange = (row: PrintedRow, range: string): PrintedRow => ({ ...row, cells: { ...row.cells, range } });

/** The bounds as two texts. A single exclusive bound keeps its sign; a missing one is empty. */
export function rangeLimits(row: PrintedRow): readonly [low: string, high: string] {
  const { min, max, isStrict, number } = row.measured;
  if (number === null) return ["", ""];
  const low = min === null ? "" : formatBound(row, min);
  const high = max === null ? "" : formatBound(row, max);
  if (!isStrict || (min !== null && max !== null)) return [low, high];
  return [low && `>${low}`, high && `<${high}`];
}

/** Ranges in words. */
export const withRangesInWords: Rewording = (row) => {
  const { min, max, isStrict, number } = row.measured;
  if (number === null) return row;
  if (min !== null && max !== null)
    return withRange(row, `Between ${formatBound(row, min)} and ${formatBound(row, max)}`);
  if (max !== null) return withRange(row, `${isStrict ? "Below" : "At most"} ${formatBound(row, max)}`);
  return min === null ? row : withRange(row, `${isStrict ? "Above" : "At least"} ${formatBound(row, min)}`);
};

/** Factors of children's ranges relative to adults', for the lower and upper bound, youngest first. */
const ofChildren: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  alp: [
    [2.6, 3.1],
    [1.6, 2.7],
  ],
  creatinine: [
    [0.4, 0.5],
    [0.6, 0.8],
  ],
  phosphate: [
    [1.4, 1.5],
    [1.2, 1.3],
  ],
  urea: [
    [0.5, 0.7],
    [0.8, 0.9],
  ],
  hemoglobin: [
    [0.8, 0.8],
    [0.9, 0.9],
  ],
  hematocrit: [
    [0.8, 0.8],
    [0.9, 0.9],
  ],
  mcv: [
    [0.9, 0.9],
    [0.95, 0.95],
  ],
  lymphocytes: [
    [2.6, 2.5],
    [1.6, 1.5],
  ],
  wbc: [
    [1.6, 1.4],
    [1.3, 1.2],
  ],
  tsh: [
    [1.6, 1.4],
    [1.3, 1.2],
  ],
  ferritin: [
    [0.3, 0.3],
    [0.4, 0.4],
  ],
};

/** Ranges of three age groups, one line each; all patients belong to the last. */
export const withRangesByAge: Rewording = (row) => {
  const { min, max, number } = row.measured;
  const children = ofChildren[row.key];
  if (min === null || max === null || number === null || children === undefined) return row;
  const ages = ["0-5 y/ans", "6-17 y/ans", "18+ y/ans"];
  const ranges = [...children, [1, 1] as const].map(
    ([low, high], place) => `${ages[place]}: ${formatBound(row, min * low)} - ${formatBound(row, max * high)}`,
  );
  return withRange(row, ranges.join("\n"));
};

/** Names of the grades around the usual one: those below, the usual one, those above. */
interface Grades {
  readonly below: readonly string[];
  readonly usual: string;
  readonly above: readonly string[];
  /** Start of the outer of two grades, as a factor of the inner grade's bound. */
  readonly outer: number;
}

const gradesOf = (below: readonly string[], usual: string, above: readonly string[], outer = 1): Grades => ({
  below,
  usual,
  above,
  outer,
});

const grades: Readonly<Record<string, Grades>> = {
  glucose: gradesOf([], "Normal", ["Impaired fasting", "Diabetes"], 1.26),
  a1c: gradesOf([], "Non-diabetic", ["Prediabetes", "Diabetes"], 1.14),
  cholesterol: gradesOf([], "Desirable", ["Borderline high", "High"], 1.2),
  triglycerides: gradesOf([], "Normal", ["Borderline high", "High"], 1.333),
  ldl: gradesOf([], "Optimal", ["Above optimal", "High"], 1.3),
  "non-hdl": gradesOf([], "Optimal", ["Above optimal", "High"], 1.23),
  hdl: gradesOf(["Low"], "Desirable", []),
  "vitamin-d": gradesOf(["Deficient", "Insufficient"], "Sufficient", ["Toxic"], 0.667),
  egfr: gradesOf(["Decreased"], "Normal", []),
  "crp-hs": gradesOf([], "Low to average risk", ["High risk"]),
};

/** Grades below a bound, lowest first. */
function gradesBelow(row: PrintedRow, { below: [lowest, next], outer }: Grades, from: number): string[] {
  if (lowest === undefined) return [];
  if (next === undefined) return [`${lowest}: ${row.measured.isStrict ? "<=" : "<"} ${formatBound(row, from)}`];
  const between = formatBound(row, from * outer);
  return [`${lowest}: < ${between}`, `${next}: ${between} - ${formatBound(row, from - stepOf(row))}`];
}

/** Grades above a bound, highest last. @param from the smallest number of the first grade. */
function gradesAbove(row: PrintedRow, { above: [first, highest], outer }: Grades, from: number): string[] {
  if (first === undefined) return [];
  if (highest === undefined) return [`${first}: >= ${formatBound(row, from)}`];
  const between = Number(formatBound(row, from * outer));
  return [
    `${first}: ${formatBound(row, from)} - ${formatBound(row, between - stepOf(row))}`,
    `${highest}: >= ${formatBound(row, between)}`,
  ];
}

/** Ranges as lists of named grades, including the usual one. */
export const withGradedRanges: Rewording = (row) => {
  const { min, max, isStrict, number } = row.measured;
  const named = grades[row.key];
  if (named === undefined || number === null) return row;
  const lines = [
    ...(min === null ? [] : gradesBelow(row, named, min)),
    `${named.usual}: ${row.cells.range}`,
    ...(max === null ? [] : gradesAbove(row, named, isStrict ? max : max + stepOf(row))),
  ];
  return withRange(row, lines.join("\n"));
};
