import type { PatientDetail } from "../../content/patient-labels.ts";
import type { ContentRow, ReportContent, ReportSection } from "../../content/report-content.ts";
import type { DrawnPage } from "../../pages/drawn-page.ts";
import { ReportFlow } from "../../pages/report-flow.ts";

/** A column of a table. Cells and titles may have several lines. */
interface TableColumn {
  readonly title: string;
  /** Position in points from the left edge of the results, of the end that `align` names. */
  readonly x: number;
  readonly align?: "left" | "right" | "center";
  readonly text: (row: ContentRow) => string;
  /** Whether abnormal results are bold. */
  readonly isBoldIfAbnormal?: boolean;
}

/** The design of a laboratory's table. */
export interface TableForm {
  readonly name: { readonly title: string; readonly x: number; readonly width: number };
  readonly columns: readonly TableColumn[];
  readonly titles: "page" | "section" | "never";
  /** Grey level behind the titles; null for a line below them. */
  readonly band: number | null;
  readonly hasRules: boolean;
  /** Draws the part above the rows of a panel. */
  readonly heading: (flow: ReportFlow, section: ReportSection) => void;
  /** Draws the part below the rows of a panel. */
  readonly closing: (flow: ReportFlow, section: ReportSection) => void;
  readonly legend: readonly string[];
}

/** The text of a detail in the head of the report. */
export const detailText = ({ patient }: ReportContent, name: PatientDetail): string =>
  patient.lines.find(({ detail }) => detail === name)?.text ?? "";

/** A date and a time on two lines. */
export const splitDateTime = (text: string): string => text.replace(/ (?=\d\d:)/, "\n");

/** Draws the heading of a panel in bold. @param more points added to the size. */
export const boldTitle =
  (inset: number, more = 0): TableForm["heading"] =>
  (flow, { title }) => {
    flow.writeAt(title, inset, { isBold: true, size: flow.size + more });
    flow.moveDown(flow.line * 1.3 + more);
  };

/** Defaults of most tables. */
export const defaultTable: Omit<TableForm, "name" | "columns"> = {
  titles: "page",
  band: null,
  hasRules: false,
  heading: boldTitle(0),
  closing: () => undefined,
  legend: [],
};

const SPACING = 1.25;

function drawTitles(flow: ReportFlow, { name, columns, band }: TableForm): void {
  const all = [{ ...name, align: "left" as const }, ...columns];
  const deep = Math.max(...all.map(({ title }) => title.split("\n").length));
  const height = deep * flow.size * SPACING + 3;
  if (band === null) flow.page.line(flow.sheet.left, flow.sheet.y, flow.sheet.left + flow.sheet.width, flow.sheet.y);
  else flow.fill(0, flow.sheet.width, height, band);
  for (const { title, x, align = "left" } of all) flow.writeLines(title.split("\n"), x, { isBold: true, align });
  flow.moveDown(height);
  flow.rule();
  flow.moveDown(3);
}

function drawRow(flow: ReportFlow, table: TableForm, row: ContentRow): void {
  const { name, columns, hasRules } = table;
  const names = flow.breakText(row.cells.test ?? "", name.width);
  const cells = columns.map((column) => ({ ...column, lines: column.text(row).split("\n") }));
  const deep = Math.max(names.length, ...cells.map(({ lines }) => lines.length));
  const height = flow.line + (deep - 1) * flow.size * SPACING;
  if (flow.ensureRoom(height + row.notes.length * flow.line) && table.titles === "section") drawTitles(flow, table);
  flow.writeLines(names, name.x);
  for (const { lines, x, align = "left", isBoldIfAbnormal = false } of cells)
    flow.writeLines(lines, x, { align, isBold: isBoldIfAbnormal && row.isAbnormal });
  flow.moveDown(height);
  for (const note of row.notes) flow.writeText(note, name.x + 12, { size: flow.size - 1 });
  if (!hasRules) return;
  flow.rule(0, flow.sheet.width, 0.3, 170);
  flow.moveDown(2);
}

/** Creates a form with a table of results. @param make designs the table for the report's content. */
export const createTableForm =
  (make: (content: ReportContent) => TableForm) =>
  (content: ReportContent): DrawnPage[] => {
    const table = make(content);
    const flow = new ReportFlow(content, (page) => {
      if (table.titles === "page") drawTitles(page, table);
    });
    for (const section of content.sections) {
      flow.ensureRoom(flow.line * 7);
      table.heading(flow, section);
      if (table.titles === "section") drawTitles(flow, table);
      for (const row of section.rows) drawRow(flow, table, row);
      table.closing(flow, section);
      flow.moveDown(flow.line * 0.7);
    }
    return flow.finish(...table.legend);
  };
