import type { CustomForm, Gender } from "./custom-form.ts";
import type { MeasurementOutcome } from "./measurement.ts";
import type { PrintedRow } from "./printed-row.ts";

/** Changes the printed form of a row, and its truth accordingly. */
export type Rewording = CustomForm["rewordRow"];

/** Applies several rewordings in sequence. */
export const composeRewordings =
  (...steps: readonly Rewording[]): Rewording =>
  (row, gender, random) =>
    steps.reduce((reworded, step) => step(reworded, gender, random), row);

const withCells = (row: PrintedRow, cells: PrintedRow["cells"]): PrintedRow => ({
  ...row,
  cells: { ...row.cells, ...cells },
});

/** Flags in the laboratory's own signs. */
export const withFlagSigns =
  (signs: Partial<Record<MeasurementOutcome, string>>): Rewording =>
  (row) =>
    withCells(row, { flag: row.cells.flag === "" ? "" : (signs[row.measured.outcome] ?? "") });

/** Numbers with a decimal comma. Bounds in the truth stay numbers. */
export const withDecimalCommas: Rewording = (row) => {
  const comma = (text = "") => text.replaceAll(/(\d)\.(\d)/g, "$1,$2");
  const { value, range, previous } = row.cells;
  const { number } = row.measured;
  return {
    ...withCells(row, { value: comma(value), range: comma(range), previous: comma(previous) }),
    truth: number === null ? row.truth : { ...row.truth, value: comma(row.truth.value) },
  };
};

/** Single upper bounds in words. */
export const withUpperBoundsInWords =
  (upTo: string): Rewording =>
  (row) => {
    const { min, max, isStrict, number, unit } = row.measured;
    if (number === null || isStrict || min !== null || max === null) return row;
    return withCells(row, { range: `${upTo} ${max.toFixed(unit.decimals)}` });
  };

const differBySex = new Set(
  "rbc hemoglobin hematocrit creatinine uric-acid iron ferritin ck prolactin dhea-s transferrin".split(" "),
);
const differByAge = new Set("alp phosphate igf-1 ldh iga igg tsh amylase".split(" "));
const WOMEN_TO_MEN = 0.88;

/** Ranges for women and men, and for children and adults, one line each; all patients are adults. */
export const withRangeLists =
  (joint: string, words: { readonly [group in Gender | "child" | "adult"]: string }): Rewording =>
  (row, gender) => {
    const { min, max, number, unit } = row.measured;
    if (min === null || max === null || number === null) return row;
    const range = (low: number, high: number) =>
      [min * low, max * high].map((bound) => bound.toFixed(unit.decimals)).join(joint);
    if (differByAge.has(row.key))
      return withCells(row, { range: `${words.child} ${range(1.2, 1.9)}\n${words.adult} ${range(1, 1)}` });
    if (!differBySex.has(row.key)) return row;
    const other = gender === "male" ? WOMEN_TO_MEN : 1 / WOMEN_TO_MEN;
    const [men, women] = gender === "male" ? [1, other] : [other, 1];
    return withCells(row, { range: `${words.male} ${range(men, men)}\n${words.female} ${range(women, women)}` });
  };

const nothingUsual = { min_reference_range: null, max_reference_range: null, interpretation: null } as const;
const notCompared = { is_above_max_range: null, is_below_min_range: null } as const;

/** Removes the range of some results, as if none were established; only of results without a printed flag. */
export const omitSomeRanges =
  (word: string, probability: number): Rewording =>
  (row, _, random) => {
    const { outcome, number } = row.measured;
    if (number === null || outcome !== "normal" || !random.boolean(probability)) return row;
    return {
      ...withCells(row, { range: word, flag: "" }),
      measured: { ...row.measured, min: null, max: null },
      truth: { ...row.truth, ...nothingUsual, ...notCompared },
    };
  };

const reasons = [
  ["TNP", "Test not performed. Specimen hemolyzed."],
  ["QNS", "Quantity not sufficient."],
  ["See note", "Result to follow in an amended report."],
] as const;

/** Replaces some results by a word with a reason below, and clears the other cells. */
export const omitSomeResults =
  (probability: number): Rewording =>
  (row, _, random) => {
    if (!random.boolean(probability)) return row;
    const [word, status] = random.pick(reasons);
    const { measured, truth } = row;
    return {
      ...withCells(row, { value: word, status, units: "", range: "", flag: "", previous: "", previousDate: "" }),
      isAbnormal: false,
      measured: { ...measured, value: word, outcome: "normal", number: null, min: null, max: null, expected: null },
      truth: { ...truth, value: word, units: null, ...nothingUsual, ...notCompared },
    };
  };

/** Antinuclear antibodies as a titer, which has no range and no code in the catalogue. */
export const withTiters: Rewording = (row, _, random) => {
  if (row.key !== "ana") return row;
  const isUnusual = row.measured.outcome !== "normal";
  const value = isUnusual ? random.pick(["1:80", "1:160", "1:320", "1:640"]) : "<1:40";
  const interpretation = isUnusual ? row.truth.interpretation : null;
  return {
    ...withCells(row, { test: "ANA Titer", value, range: "", flag: isUnusual ? (row.cells.flag ?? "") : "" }),
    truth: { ...row.truth, test_name: "ANA Titer", value, interpretation, loinc: null },
  };
};

const EARLIER_OMISSION_RATE = 0.2;

/** Earlier results, one per line, latest first; an empty line if there was none. */
export const withEarlierResults =
  (count: number): Rewording =>
  (row, _, random) => {
    const { min, max, number, unit } = row.measured;
    const low = min ?? 0;
    const high = max ?? low * 1.9;
    const one = () => {
      if (random.boolean(EARLIER_OMISSION_RATE)) return "";
      if (number === null) return row.measured.expected ?? row.cells.value ?? "";
      return random.between(low + (high - low) * 0.1, high).toFixed(unit.decimals);
    };
    return withCells(row, { previous: Array.from({ length: count }, one).join("\n") });
  };

/** Ranges as two texts for the ends of a bar: lower and upper bound. A single bound keeps its sign. */
export const withRangeEnds: Rewording = (row) => {
  const { min, max, number, unit } = row.measured;
  if (number === null) return row;
  const { range = "" } = row.cells;
  if (min === null || max === null) return withCells(row, { range: max === null ? `${range}\n` : `\n${range}` });
  return withCells(row, { range: `${min.toFixed(unit.decimals)}\n${max.toFixed(unit.decimals)}` });
};
