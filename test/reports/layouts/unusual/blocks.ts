import type { Content, ContentRow, Section } from "../../content.ts";
import type { DrawnPage } from "../../drawn-page.ts";
import { Flow } from "../../flow.ts";

const CARD_GAP = 14;

function cardRow(flow: Flow, { cells, isAbnormal }: ContentRow, left: number): void {
  flow.put(cells.flag ?? "", left + 4, { isBold: true });
  flow.put(cells.test ?? "", left + 12);
  flow.put(cells.value ?? "", left + 158, { isBold: isAbnormal, align: "right" });
  flow.put(cells.range ?? "", left + 166, { size: flow.size - 0.5, grey: 60 });
}

/** Panels as cards, two side by side, each with its own heading and time. */
export function cards(content: Content): DrawnPage[] {
  const flow = new Flow(content, () => undefined);
  const wide = (flow.sheet.width - CARD_GAP) / 2;
  for (let place = 0; place < content.sections.length; place += 2) {
    const pair: Section[] = content.sections.slice(place, place + 2);
    const most = Math.max(...pair.map(({ rows }) => rows.length));
    flow.need((most + 3) * flow.line);
    const edges = pair.map((section, index) => ({ ...section, left: index * (wide + CARD_GAP) }));
    for (const { title, rows, left } of edges) {
      flow.frame(left, wide, (rows.length + 2.4) * flow.line);
      flow.fill(left, wide, flow.line * 1.2, 215);
      flow.put(title, left + 6, { isBold: true });
      flow.put(flow.detail("collected"), left + wide - 6, { align: "right", size: flow.size - 1, grey: 60 });
    }
    flow.down(flow.line * 1.3);
    for (const { left } of edges) {
      const title = { size: flow.size - 1, grey: 80 };
      flow.put("Result", left + 158, { ...title, align: "right" });
      flow.put("Expected", left + 166, title);
    }
    flow.down(flow.line);
    for (let line = 0; line < most; line += 1) {
      for (const { rows, left } of edges) {
        const row = rows[line];
        if (row !== undefined) cardRow(flow, row, left);
      }
      flow.down(flow.line);
    }
    flow.down(flow.line);
  }
  return flow.end("* outside the expected range");
}

const BAND = 7;
const LABELS = 62;

function band(flow: Flow, rows: readonly ContentRow[]): void {
  const wide = (flow.sheet.width - LABELS) / BAND;
  const lines = rows.map(({ cells }) => flow.broken(cells.test ?? "", wide - 6, { isBold: true }));
  const first = Math.max(...lines.map(({ length }) => length)) * flow.line + 3;
  const small = flow.size - 0.5;
  const bands: readonly (readonly [string, "units" | "range" | "value" | "flag"])[] = [
    ["Units", "units"],
    ["Reference", "range"],
    [flow.detail("collected").split(" ")[0] ?? "", "value"],
    ["Flag", "flag"],
  ];
  const height = first + bands.length * (flow.line + 2);
  flow.need(height);
  flow.fill(0, LABELS + rows.length * wide, first, 225);
  flow.frame(0, LABELS + rows.length * wide, height);
  const { left, y } = flow.sheet;
  flow.put("Test", 4, { isBold: true });
  rows.forEach((_, place) => {
    const x = LABELS + place * wide;
    flow.page.line(left + x, y, left + x, y + height, 0.4, 130);
    flow.stack(lines[place] ?? [], x + wide / 2, { isBold: true, align: "center" });
  });
  flow.down(first);
  for (const [label, field] of bands) {
    flow.rule(0, LABELS + rows.length * wide, 0.4, 130);
    flow.put(label, 4, { size: small });
    rows.forEach(({ cells, isAbnormal }, place) => {
      const isBold = (field === "value" && isAbnormal) || field === "flag";
      const size = field === "value" ? flow.size : small;
      flow.put(cells[field] ?? "", LABELS + (place + 0.5) * wide, { align: "center", isBold, size });
    });
    flow.down(flow.line + 2);
  }
  flow.down(flow.line);
}

/** A flow sheet: tests are columns, and the lines below contain their values. */
export function flowSheet(content: Content): DrawnPage[] {
  const flow = new Flow(content, () => undefined);
  for (const { title, rows } of content.sections) {
    flow.need(flow.line * 9);
    flow.put(title, 0, { isBold: true, size: flow.size + 1 });
    flow.down(flow.line * 1.4);
    for (let place = 0; place < rows.length; place += BAND) band(flow, rows.slice(place, place + BAND));
  }
  return flow.end();
}
