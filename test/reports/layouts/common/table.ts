import type { Content, ContentRow, Section } from "../../content.ts";
import type { DrawnPage } from "../../drawn-page.ts";
import { Flow } from "../../flow.ts";
import type { Detail } from "../../patient-labels.ts";

/** A column of a table. Cells and titles may have several lines. */
export interface TableColumn {
  readonly title: string;
  /** Position in points from the left edge of the results, of the end that `align` names. */
  readonly x: number;
  readonly align?: "left" | "right" | "center";
  readonly text: (row: ContentRow) => string;
  /** Whether abnormal results are bold. */
  readonly isStrong?: boolean;
}

/** The design of a laboratory's table. */
export interface Table {
  readonly name: { readonly title: string; readonly x: number; readonly width: number };
  readonly columns: readonly TableColumn[];
  readonly titles: "page" | "section" | "never";
  /** Grey level behind the titles; null for a line below them. */
  readonly band: number | null;
  readonly hasRules: boolean;
  /** Draws the part above the rows of a panel. */
  readonly heading: (flow: Flow, section: Section) => void;
  /** Draws the part below the rows of a panel. */
  readonly closing: (flow: Flow, section: Section) => void;
  readonly legend: readonly string[];
}

/** The text of a detail in the head of the report. */
export const said = ({ patient }: Content, name: Detail): string =>
  patient.lines.find(({ detail }) => detail === name)?.text ?? "";

/** A date and a time on two lines. */
export const inTwoLines = (text: string): string => text.replace(/ (?=\d\d:)/, "\n");

/** Draws the heading of a panel in bold. @param more points added to the size. */
export const boldTitle =
  (inset: number, more = 0): Table["heading"] =>
  (flow, { title }) => {
    flow.put(title, inset, { isBold: true, size: flow.size + more });
    flow.down(flow.line * 1.3 + more);
  };

/** Defaults of most tables. */
export const plainTable: Omit<Table, "name" | "columns"> = {
  titles: "page",
  band: null,
  hasRules: false,
  heading: boldTitle(0),
  closing: () => undefined,
  legend: [],
};

const SPACING = 1.25;

function drawTitles(flow: Flow, { name, columns, band }: Table): void {
  const all = [{ ...name, align: "left" as const }, ...columns];
  const deep = Math.max(...all.map(({ title }) => title.split("\n").length));
  const height = deep * flow.size * SPACING + 3;
  if (band === null) flow.page.line(flow.sheet.left, flow.sheet.y, flow.sheet.left + flow.sheet.width, flow.sheet.y);
  else flow.fill(0, flow.sheet.width, height, band);
  for (const { title, x, align = "left" } of all) flow.stack(title.split("\n"), x, { isBold: true, align });
  flow.down(height);
  flow.rule();
  flow.down(3);
}

function drawRow(flow: Flow, table: Table, row: ContentRow): void {
  const { name, columns, hasRules } = table;
  const names = flow.broken(row.cells.test ?? "", name.width);
  const cells = columns.map((column) => ({ ...column, lines: column.text(row).split("\n") }));
  const deep = Math.max(names.length, ...cells.map(({ lines }) => lines.length));
  const height = flow.line + (deep - 1) * flow.size * SPACING;
  if (flow.need(height + row.notes.length * flow.line) && table.titles === "section") drawTitles(flow, table);
  flow.stack(names, name.x);
  for (const { lines, x, align = "left", isStrong = false } of cells)
    flow.stack(lines, x, { align, isBold: isStrong && row.isAbnormal });
  flow.down(height);
  for (const note of row.notes) flow.text(note, name.x + 12, { size: flow.size - 1 });
  if (!hasRules) return;
  flow.rule(0, flow.sheet.width, 0.3, 170);
  flow.down(2);
}

/** Creates a form with a table of results. @param make designs the table for the report's content. */
export const asTable =
  (make: (content: Content) => Table) =>
  (content: Content): DrawnPage[] => {
    const table = make(content);
    const flow = new Flow(content, (page) => {
      if (table.titles === "page") drawTitles(page, table);
    });
    for (const section of content.sections) {
      flow.need(flow.line * 7);
      table.heading(flow, section);
      if (table.titles === "section") drawTitles(flow, table);
      for (const row of section.rows) drawRow(flow, table, row);
      table.closing(flow, section);
      flow.down(flow.line * 0.7);
    }
    return flow.end(...table.legend);
  };
