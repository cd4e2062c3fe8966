import type { CustomForm } from "../content/custom-form.ts";

/** The content of a results column. "in" and "out" are values inside and outside the range, in separate columns. */
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
  /** Preferred share of the width, per cent. A column is never narrower than its content. */
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
  /** Line distance as a multiple of the size. */
  readonly leading: number;
  readonly margin: number;
  readonly columns: readonly Column[];
  /** Number of side-by-side results columns on a page. */
  readonly across: 1 | 2;
  /** Position of flags: in a column, before or after the value, attached to it, in parentheses, or nowhere. */
  readonly flags: "column" | "before" | "after" | "attached" | "parentheses" | "none";
  readonly flagWords: "letters" | "words" | "capitals" | "star" | "normal-too";
  readonly range: "a-b" | "a - b" | "a – b" | "(a-b)" | "[a to b]" | "a to b" | "a-b unit" | "(a - b) unit";
  /** One-sided bounds: "<b", "< b", "<=b", "< OR = b". */
  readonly oneSided: "tight" | "spaced" | "equal" | "or-equal" | "zero";
  /** Text in place of a missing range. */
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
  /** Whether tests are indented below the heading of their panel. */
  readonly indent: number;
  /** Whether results are on the line below the name. */
  readonly isTwoLine: boolean;
  readonly repeatsTitles: "page" | "section" | "once" | "never";
  readonly isAbnormalBold: boolean;
  readonly patient: PatientBlock;
  readonly top: Letterhead;
  /** Position of comments on results. */
  readonly notes: "none" | "under" | "indented" | "boxed" | "end";
  readonly hasMethods: boolean;
  readonly footer: "page" | "lab" | "legend" | "line";
  readonly mark: "none" | "stamp" | "watermark" | "barcode";
  readonly dates: "us" | "us-time" | "iso" | "day-month" | "month-day" | "dots";
  readonly person: "last-first" | "first-last" | "upper";
  /** Whether the PDF uses the standard fonts of PDF readers instead of embedded ones. */
  readonly hasStandardFonts: boolean;
  /** Whether each line of the PDF is one text padded with spaces, as line printers write. */
  readonly isPrinterText: boolean;
  /** Panels of the laboratory, by key; empty for all. */
  readonly panels: readonly string[];
  readonly panelCount: readonly [number, number];
  /** The custom form of laboratories whose results are not a table of plain columns; null for others. */
  readonly form: CustomForm | null;
}

/** Position of the patient's and the specimen's data. */
interface PatientBlock {
  readonly grid: 1 | 2 | 3 | 4;
  readonly labels: "inline" | "aligned" | "stacked";
  /** Index of the label set; see `patient-labels.ts`. */
  readonly words: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;
  readonly frame: "none" | "box" | "grid" | "lines" | "shade";
  readonly again: "full" | "brief";
}

/** The page head with the laboratory. */
interface Letterhead {
  readonly place: "left" | "center" | "right" | "split";
  readonly logo: "none" | "disc" | "bars" | "cross" | "drop" | "square";
  readonly heading: string;
}

const plainLayout: Omit<Layout, "name" | "lab" | "columns"> = {
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

/** Parses columns from `field:Title:share:align | ...`. An underscore means no title. */
function parseColumns(text: string): Column[] {
  return text.split(" | ").map((part) => {
    const [field, title = "", share = "10", align = "left"] = part.split(":");
    return { field, title: title === "_" ? "" : title, share: Number(share), align } as Column;
  });
}

/** The differences of a layout from the plain layout. */
export type LayoutChanges = Partial<Omit<Layout, "name" | "lab" | "columns" | "patient" | "top">> & {
  readonly patient?: Partial<PatientBlock>;
  readonly top?: Partial<Letterhead>;
};

/** Defines a layout by its differences from the plain layout. */
export function defineLayout(name: string, lab: string, fields: string, changes: LayoutChanges): Layout {
  const patient = { ...plainLayout.patient, ...changes.patient };
  const top = { ...plainLayout.top, ...changes.top };
  return { ...plainLayout, ...changes, name, lab, columns: parseColumns(fields), patient, top };
}
