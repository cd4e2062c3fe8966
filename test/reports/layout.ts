import type { OwnForm } from "./own-form.ts";

/** What a column of results holds; "in" and "out" are values within and outside the range, each in a column of its own. */
export type Field =
  | "test"
  | "value"
  | "in"
  | "out"
  | "flag"
  | "units"
  | "range"
  | "low"
  | "high"
  | "site"
  | "loinc"
  | "previous"
  | "previousDate"
  | "status";

export interface Column {
  readonly field: Field;
  readonly title: string;
  /** Wished share of the width, percent; a column is never narrower than what stands in it. */
  readonly share: number;
  readonly align: "left" | "right" | "center" | "decimal";
}

export type Family = "sans" | "serif" | "mono" | "dejavu" | "dejavu-condensed" | "dejavu-serif" | "dejavu-mono";

/** How a laboratory prints its reports. Sizes are points. */
export interface Layout {
  readonly name: string;
  readonly lab: string;
  readonly paper: "letter" | "a4" | "letter-wide";
  readonly font: Family;
  readonly size: number;
  /** Distance of lines, times the size. */
  readonly leading: number;
  readonly margin: number;
  readonly columns: readonly Column[];
  /** How many columns of results stand beside each other on a page. */
  readonly across: 1 | 2;
  /** Where flags stand: in a column, before or after the value, grown together with it, in parentheses, or nowhere. */
  readonly flags: "column" | "before" | "after" | "attached" | "parentheses" | "none";
  readonly flagWords: "letters" | "words" | "capitals" | "star" | "normal-too";
  readonly range: "a-b" | "a - b" | "a – b" | "(a-b)" | "[a to b]" | "a to b" | "a-b unit" | "(a - b) unit";
  /** Bounds on one side: "<b", "< b", "<=b", "< OR = b". */
  readonly oneSided: "tight" | "spaced" | "equal" | "or-equal" | "zero";
  /** What stands in the place of a range where there is none. */
  readonly noRange: string;
  /** Spelling of units; see `Analyte.units`. */
  readonly units: 0 | 1 | 2 | 3;
  /** Whether the unit follows the value in its column. */
  readonly isUnitWithValue: boolean;
  readonly hasThousands: boolean;
  readonly names: "plain" | "short" | "long" | "mixed";
  readonly nameCase: "as-is" | "upper";
  readonly sections: "bold" | "bar" | "underlined" | "boxed" | "rule" | "none" | "spaced";
  readonly titles: "plain" | "short" | "long" | "upper";
  readonly rules: "none" | "lines" | "grid" | "zebra" | "box" | "leaders" | "head-line";
  /** Whether tests are set in under the heading of their panel. */
  readonly indent: number;
  /** Whether results stand on the line under the name. */
  readonly isTwoLine: boolean;
  readonly repeatsTitles: "page" | "section" | "once" | "never";
  readonly isAbnormalBold: boolean;
  readonly patient: PatientBlock;
  readonly top: TopBlock;
  /** Where comments on results stand. */
  readonly notes: "none" | "under" | "indented" | "boxed" | "end";
  readonly hasMethods: boolean;
  readonly footer: "page" | "lab" | "legend" | "line";
  readonly mark: "none" | "stamp" | "watermark" | "barcode";
  readonly dates: "us" | "us-time" | "iso" | "day-month" | "month-day" | "dots";
  readonly person: "last-first" | "first-last" | "upper";
  /** Whether the PDF is written with the fonts that every PDF reader has, in place of embedded ones. */
  readonly hasStandardFonts: boolean;
  /** Whether a line of the PDF is one text padded with spaces, as line printers write. */
  readonly isPrinterText: boolean;
  /** Panels that the laboratory offers, by key; empty for all. */
  readonly panels: readonly string[];
  readonly panelCount: readonly [number, number];
  /** For laboratories whose results stand in no table of plain columns; null for all others. */
  readonly form: OwnForm | null;
}

/** Where the patient's and the specimen's data stand. */
export interface PatientBlock {
  readonly grid: 1 | 2 | 3 | 4;
  readonly labels: "inline" | "aligned" | "stacked";
  /** Which words are used for the labels; see `patient-labels.ts`. */
  readonly words: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;
  readonly frame: "none" | "box" | "grid" | "lines" | "shade";
  readonly again: "full" | "brief";
}

/** The head of the page with the laboratory. */
export interface TopBlock {
  readonly place: "left" | "center" | "right" | "split";
  readonly logo: "none" | "disc" | "bars" | "cross" | "drop" | "square";
  readonly heading: string;
}

const plain: Omit<Layout, "name" | "lab" | "columns"> = {
  paper: "letter",
  font: "sans",
  size: 9,
  leading: 1.35,
  margin: 40,
  across: 1,
  flags: "column",
  flagWords: "letters",
  range: "a-b",
  oneSided: "tight",
  noRange: "",
  units: 0,
  isUnitWithValue: false,
  hasThousands: false,
  names: "plain",
  nameCase: "as-is",
  sections: "bold",
  titles: "plain",
  rules: "none",
  indent: 8,
  isTwoLine: false,
  repeatsTitles: "page",
  isAbnormalBold: false,
  patient: { grid: 2, labels: "inline", words: 0, frame: "box", again: "brief" },
  top: { place: "left", logo: "disc", heading: "Laboratory Report" },
  notes: "none",
  hasMethods: false,
  footer: "page",
  mark: "none",
  dates: "us",
  person: "last-first",
  hasStandardFonts: true,
  isPrinterText: false,
  panels: [],
  panelCount: [3, 5],
  form: null,
};

/** Columns written as `field:Title:share:align | ...`; an underscore is a field without a title. */
function columns(text: string): Column[] {
  return text.split(" | ").map((part) => {
    const [field, title = "", share = "10", align = "left"] = part.split(":");
    return { field, title: title === "_" ? "" : title, share: Number(share), align } as Column;
  });
}

/** What a layout has different from a plain one. */
export type LayoutChanges = Partial<Omit<Layout, "name" | "lab" | "columns" | "patient" | "top">> & {
  readonly patient?: Partial<PatientBlock>;
  readonly top?: Partial<TopBlock>;
};

/** A layout by what it has different from a plain one. */
export function layout(name: string, lab: string, fields: string, changes: LayoutChanges): Layout {
  const patient = { ...plain.patient, ...changes.patient };
  const top = { ...plain.top, ...changes.top };
  return { ...plain, ...changes, name, lab, columns: columns(fields), patient, top };
}
