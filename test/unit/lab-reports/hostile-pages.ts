import type { ReportPage, ReportWord } from "../../../lib/domain/lab-reports/page/report-page.ts";

const HEIGHT = 9;
const PITCH = 12;
const WIDTH = 612;

type Place = Partial<ReportWord> & Pick<ReportWord, "left" | "top">;

const word = (text: string, place: Place): ReportWord => ({
  text,
  width: text.length * 5,
  height: HEIGHT,
  confidence: 100,
  ...place,
});

const page = (words: ReportWord[]): ReportPage => ({ width: WIDTH, height: 792, origin: "text", dpi: null, words });

/** A page of `count` words, each created from its index. */
const each = (count: number, of: (at: number) => ReportWord): ReportPage =>
  page(Array.from({ length: count }, (_, at) => of(at)));

/** A page of `count` words in `columns` columns. */
const table = (count: number, columns: number, text: (column: number, row: number) => string): ReportPage =>
  each(count, (at) => {
    const [column, row] = [at % columns, Math.floor(at / columns)];
    const printed = text(column, row);
    return word(printed, { left: 36 + column * 90, top: 36 + row * PITCH });
  });

const names = ["Glucose", "Sodium", "Potassium", "Hemoglobin", "Creatinine", "Bilirubin", "Albumin", "Calcium"];
const nameAt = (at: number) => names[at % names.length] ?? "Glucose";
const cells = ["98", "mg/dL", "65-99", "H"];

/** Adversarial pages with a given number of words, which no laboratory prints. */
export const hostilePages: Readonly<Record<string, (count: number) => ReportPage>> = {
  "many tiny words": (count) =>
    each(count, (at) => word("1", { left: (at % 60) * 2, top: Math.floor(at / 60) * 2, width: 1, height: 1 })),
  "all on one line": (count) => each(count, (at) => word(nameAt(at), { left: at * 60, top: 100 })),
  "all at one place": (count) => each(count, (at) => word(at % 2 ? "a1" : "*", { left: 100, top: 100 })),
  "a column of single words": (count) => each(count, (at) => word(nameAt(at), { left: 36, top: at * PITCH })),
  "a giant table": (count) =>
    table(count, 5, (column, row) => (column === 0 ? nameAt(row) : (cells[column - 1] ?? ""))),
  "a giant table with headings": (count) =>
    table(count, 5, (column, row) =>
      row === 0
        ? (["Test", "Result", "Units", "Range", "Flag"][column] ?? "")
        : column === 0
          ? nameAt(row)
          : (["98", "mg/dL", "65-99", "H"][column - 1] ?? ""),
    ),
  "a hundred columns": (count) => table(count, 100, (column, row) => (column === 0 ? nameAt(row) : `${row % 90}`)),
  "a hundred columns of names": (count) => table(count, 100, (_, row) => nameAt(row)),
  "values far apart on one line": (count) =>
    each(count, (at) => word(at % 2 ? "98" : "Glucose", { left: at * 90, top: 100 })),
  "lines without values": (count) => table(count, 12, (column, row) => nameAt(column + row)),
  "labelled lines": (count) => table(count, 2, (column) => (column === 0 ? "Result:" : "98")),
  "results behind semicolons": (count) =>
    each(count, (at) =>
      word([nameAt(at >> 2), "98", "mg/dL", "(65-99);"][at % 4] ?? "", {
        left: 36 + (at % 12) * 45,
        top: 36 + Math.floor(at / 12) * PITCH,
      }),
    ),
  "brackets that never close": (count) =>
    each(count, (at) =>
      word(at % 2 ? "((((" : "Range:(", { left: 36 + (at % 2) * 36, top: 36 + Math.floor(at / 2) * PITCH }),
    ),
  "one sentence without end": (count) =>
    each(count, (at) =>
      word(at % 7 ? nameAt(at) : "98;", { left: 36 + (at % 12) * 45, top: 36 + Math.floor(at / 12) * PITCH }),
    ),
  tiles: (count) =>
    table(count, 4, (column, row) => ([nameAt(column + row), "98", "mg/dL", "65-99"] as const)[row % 4] ?? ""),
  "cards beside each other": (count) => table(count, 6, (column, row) => (column % 2 ? "98" : nameAt(column + row))),
  "tests across": (count) =>
    table(count, 6, (column, row) =>
      column === 0
        ? (["Test", "Result", "Units", "Range"][row % 4] ?? "")
        : ([nameAt(column + row), "98", "mg/dL", "65-99"][row % 4] ?? ""),
    ),
  "marks behind words": (count) =>
    each(count, (at) =>
      at % 2
        ? word("1", { left: 60 + (at % 10) * 50, top: 34 + Math.floor(at / 10) * PITCH, height: 4, width: 3 })
        : word("Sodium", { left: 36 + (at % 10) * 50 + 0, top: 36 + Math.floor(at / 10) * PITCH, width: 30 }),
    ),
  "words of every size": (count) =>
    each(count, (at) => word("A1", { left: at % 600, top: (at * 7) % 700, height: 1 + ((at * 13) % 500) })),
  "lines that drift": (count) => each(count, (at) => word("Sodium", { left: at * 3, top: 100 + ((at * 4) % 400) })),
  "grades below a row": (count) =>
    table(count, 3, (column, row) =>
      row === 0 ? (["Glucose", "98", "Low: 1-2"][column] ?? "") : column === 2 ? "High: 3-4" : "",
    ),
};
