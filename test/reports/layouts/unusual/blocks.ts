import type { ContentRow, ReportContent, ReportSection } from "../../content/report-content.ts";
import type { DrawnPage } from "../../pages/drawn-page.ts";
import { ReportFlow } from "../../pages/report-flow.ts";

const CARD_GAP = 14;

function cardRow(flow: ReportFlow, { cells, isAbnormal }: ContentRow, left: number): void {
  flow.writeAt(cells.flag ?? "", left + 4, { isBold: true });
  flow.writeAt(cells.test ?? "", left + 12);
  flow.writeAt(cells.value ?? "", left + 158, { isBold: isAbnormal, align: "right" });
  flow.writeAt(cells.range ?? "", left + 166, { size: flow.size - 0.5, grey: 60 });
}

/** Panels as cards, two side by side, each with its own heading and time. */
export function panelCardsForm(content: ReportContent): DrawnPage[] {
  const flow = new ReportFlow(content, () => undefined);
  const wide = (flow.sheet.width - CARD_GAP) / 2;
  for (let place = 0; place < content.sections.length; place += 2) {
    const pair: ReportSection[] = content.sections.slice(place, place + 2);
    const most = Math.max(...pair.map(({ rows }) => rows.length));
    flow.ensureRoom((most + 3) * flow.line);
    const edges = pair.map((section, index) => ({ ...section, left: index * (wide + CARD_GAP) }));
    for (const { title, rows, left } of edges) {
      flow.frame(left, wide, (rows.length + 2.4) * flow.line);
      flow.fill(left, wide, flow.line * 1.2, 215);
      flow.writeAt(title, left + 6, { isBold: true });
      flow.writeAt(flow.detail("collected"), left + wide - 6, { align: "right", size: flow.size - 1, grey: 60 });
    }
    flow.moveDown(flow.line * 1.3);
    for (const { left } of edges) {
      const title = { size: flow.size - 1, grey: 80 };
      flow.writeAt("Result", left + 158, { ...title, align: "right" });
      flow.writeAt("Expected", left + 166, title);
    }
    flow.moveDown(flow.line);
    for (let line = 0; line < most; line += 1) {
      for (const { rows, left } of edges) {
        const row = rows[line];
        if (row !== undefined) cardRow(flow, row, left);
      }
      flow.moveDown(flow.line);
    }
    flow.moveDown(flow.line);
  }
  return flow.finish("* outside the expected range");
}

const BAND = 7;
const LABELS = 62;

function band(flow: ReportFlow, rows: readonly ContentRow[]): void {
  const wide = (flow.sheet.width - LABELS) / BAND;
  const lines = rows.map(({ cells }) => flow.breakText(cells.test ?? "", wide - 6, { isBold: true }));
  const first = Math.max(...lines.map(({ length }) => length)) * flow.line + 3;
  const small = flow.size - 0.5;
  const bands: readonly (readonly [string, "units" | "range" | "value" | "flag"])[] = [
    ["Units", "units"],
    ["Reference", "range"],
    [flow.detail("collected").split(" ")[0] ?? "", "value"],
    ["Flag", "flag"],
  ];
  const height = first + bands.length * (flow.line + 2);
  flow.ensureRoom(height);
  flow.fill(0, LABELS + rows.length * wide, first, 225);
  flow.frame(0, LABELS + rows.length * wide, height);
  const { left, y } = flow.sheet;
  flow.writeAt("Test", 4, { isBold: true });
  rows.forEach((_, place) => {
    const x = LABELS + place * wide;
    flow.page.line(left + x, y, left + x, y + height, 0.4, 130);
    flow.writeLines(lines[place] ?? [], x + wide / 2, { isBold: true, align: "center" });
  });
  flow.moveDown(first);
  for (const [label, field] of bands) {
    flow.rule(0, LABELS + rows.length * wide, 0.4, 130);
    flow.writeAt(label, 4, { size: small });
    rows.forEach(({ cells, isAbnormal }, place) => {
      const isBold = (field === "value" && isAbnormal) || field === "flag";
      const size = field === "value" ? flow.size : small;
      flow.writeAt(cells[field] ?? "", LABELS + (place + 0.5) * wide, { align: "center", isBold, size });
    });
    flow.moveDown(flow.line + 2);
  }
  flow.moveDown(flow.line);
}

/** A flow sheet: tests are columns, and the lines below contain their values. */
export function flowSheetForm(content: ReportContent): DrawnPage[] {
  const flow = new ReportFlow(content, () => undefined);
  for (const { title, rows } of content.sections) {
    flow.ensureRoom(flow.line * 9);
    flow.writeAt(title, 0, { isBold: true, size: flow.size + 1 });
    flow.moveDown(flow.line * 1.4);
    for (let place = 0; place < rows.length; place += BAND) band(flow, rows.slice(place, place + BAND));
  }
  return flow.finish();
}
