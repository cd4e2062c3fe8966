import type { Analyte } from "../analytes/analytes.ts";
import type { Field, Layout } from "../layouts/layout.ts";
import { drawMeasurement, formatNumber, type Measurement, type MeasurementOutcome } from "./measurement.ts";
import type { TruthRow } from "./report-truth.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** A row as printed. */
export interface PrintedRow {
  readonly key: string;
  readonly cells: Partial<Record<Field, string>>;
  readonly isAbnormal: boolean;
  readonly measured: Measurement;
  readonly truth: TruthRow;
}

const words: Record<Layout["flagWords"], Record<MeasurementOutcome, string>> = {
  letters: { normal: "", high: "H", low: "L", unusual: "A", "critically-high": "HH", "critically-low": "LL" },
  words: {
    normal: "",
    high: "High",
    low: "Low",
    unusual: "Abnormal",
    "critically-high": "Critical",
    "critically-low": "Critical",
  },
  capitals: {
    normal: "",
    high: "HIGH",
    low: "LOW",
    unusual: "ABNORMAL",
    "critically-high": "CRITICAL",
    "critically-low": "CRITICAL",
  },
  star: { normal: "", high: "*", low: "*", unusual: "*", "critically-high": "*", "critically-low": "*" },
  "normal-too": {
    normal: "Normal",
    high: "High",
    low: "Low",
    unusual: "Abnormal",
    "critically-high": "Critical",
    "critically-low": "Critical",
  },
};

const places = { plain: 0, short: 1, long: 2 } as const;

/** The analyte's name as the laboratory prints it. */
function nameOf({ names }: Analyte, layout: Layout, random: SeededRandom): string {
  const name = layout.names === "mixed" ? random.pick(names) : (names[places[layout.names]] ?? names[0] ?? "");
  return layout.nameCase === "upper" ? name.toUpperCase() : name;
}

const joints = {
  "a-b": "-",
  "a - b": " - ",
  "a – b": " – ",
  "(a-b)": "-",
  "[a to b]": " to ",
  "a to b": " to ",
  "a-b unit": "-",
  "(a - b) unit": " - ",
};

function bounds({ min, max, isStrict, unit, number: measured }: Measurement, layout: Layout): string {
  const number = (value: number) => formatNumber(value, measured === null ? 0 : unit.decimals, layout);
  if (min !== null && max !== null) return `${number(min)}${joints[layout.range]}${number(max)}`;
  const [sign, bound] = max !== null ? ["<", max] : [">", min ?? 0];
  const space = layout.oneSided === "spaced" ? " " : "";
  if (isStrict) return `${sign}${space}${number(bound)}`;
  return layout.oneSided === "or-equal" ? `${sign} OR = ${number(bound)}` : `${sign}=${space}${number(bound)}`;
}

/** The text of the range column; empty without a range. */
function rangeText(measured: Measurement, layout: Layout): string {
  if (measured.min === null && measured.max === null) return measured.expected ?? layout.noRange;
  const text = bounds(measured, layout);
  const unit = measured.unit.text === "" ? "" : ` ${measured.unit.text}`;
  switch (layout.range) {
    case "(a-b)":
      return `(${text})`;
    case "[a to b]":
      return `[${text}]`;
    case "a-b unit":
      return `${text}${unit}`;
    case "(a - b) unit":
      return `(${text})${unit}`;
    default:
      return text;
  }
}

function flagged(value: string, flag: string, layout: Layout): string {
  if (flag === "" || layout.flags === "none" || layout.flags === "column") return value;
  // "A POSITIVE" would be a blood group.
  if (layout.flags === "before") return `${flag === "A" ? "*" : flag} ${value}`;
  if (layout.flags === "attached") return `${value}${flag}`;
  return layout.flags === "parentheses" ? `${value} (${flag})` : `${value} ${flag}`;
}

/** The interpretation rule: the printed flag, else the printed range or expected text, else nothing. */
function interpretation(measured: Measurement, layout: Layout, isRangePrinted: boolean): TruthRow["interpretation"] {
  const { outcome } = measured;
  if (outcome === "normal") return isRangePrinted ? "normal" : null;
  const isCritical = outcome === "critically-high" || outcome === "critically-low";
  if (layout.flags === "none") return isRangePrinted ? "abnormal" : null;
  return isCritical && layout.flagWords !== "star" ? "critical" : "abnormal";
}

/** The visible part of a measurement on paper. */
function visible(measured: Measurement, layout: Layout) {
  const has = (field: Field) => layout.columns.some((column) => column.field === field);
  const isNumeric = measured.min !== null || measured.max !== null;
  const isRange = isNumeric ? has("range") || has("low") : measured.expected !== null && has("range");
  const isUnitInRange = isNumeric && layout.range.endsWith("unit") && has("range");
  const isUnit = measured.unit.text !== "" && (has("units") || layout.isUnitWithValue || isUnitInRange);
  return { isRange, isUnit };
}

function truthOf(name: string, panel: string, measured: Measurement, layout: Layout): TruthRow {
  const { min, max, number, unit } = measured;
  const { isRange, isUnit } = visible(measured, layout);
  const isCompared = min !== null && max !== null && number !== null;
  return {
    test_name: name,
    value: measured.value,
    units: isUnit ? unit.text : null,
    min_reference_range: min,
    max_reference_range: max,
    interpretation: interpretation(measured, layout, isRange),
    is_above_max_range: isCompared ? number > max : null,
    is_below_min_range: isCompared ? number < min : null,
    source_panel_name: panel,
    loinc: unit.loinc,
  };
}

function cellsOf(name: string, measured: Measurement, layout: Layout, random: SeededRandom): PrintedRow["cells"] {
  const { outcome, unit, min, max } = measured;
  const { isRange } = visible(measured, layout);
  const flag = outcome === "normal" && !isRange ? "" : words[layout.flagWords][outcome];
  const withUnit = layout.isUnitWithValue && unit.text !== "" ? `${measured.value} ${unit.text}` : measured.value;
  const value = flagged(withUnit, flag, layout);
  const number = (bound: number | null) =>
    bound === null ? "" : formatNumber(bound, measured.number === null ? 0 : unit.decimals, layout);
  return {
    test: name,
    value,
    in: outcome === "normal" ? value : "",
    out: outcome === "normal" ? "" : value,
    flag: layout.flags === "column" ? flag : "",
    units: unit.text,
    range: rangeText(measured, layout),
    low: number(min),
    high: number(max),
    site: random.boolean(0.9) ? "01" : "02",
    loinc: unit.loinc ?? "",
    status: "Final",
  };
}

/** Creates a row with the texts of all columns and its truth. @param panel heading of the row's panel. */
export function createPrintedRow(
  analyte: Analyte,
  layout: Layout,
  panel: string,
  before: string,
  random: SeededRandom,
): PrintedRow {
  const measured = drawMeasurement(analyte, layout, random);
  const name = nameOf(analyte, layout, random);
  const earlier = random.boolean(0.8) ? { previous: measured.previous, previousDate: before } : {};
  return {
    key: analyte.key,
    measured,
    isAbnormal: measured.outcome !== "normal",
    cells: { ...cellsOf(name, measured, layout, random), ...earlier },
    truth: truthOf(name, panel, measured, layout),
  };
}
