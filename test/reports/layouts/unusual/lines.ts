import type { Content, ContentRow } from "../../content.ts";
import type { DrawnPage } from "../../drawn-page.ts";
import { Flow } from "../../flow.ts";

function sentence({ cells }: ContentRow): string {
  const said = [cells.value, cells.units, cells.flag && `[${cells.flag}]`].filter((text) => text);
  const range = cells.range ? ` (normal ${cells.range})` : "";
  return `${cells.test}: ${said.join(" ")}${range}`;
}

/** A letter: each result is a line of text, without columns. */
export function letter(content: Content): DrawnPage[] {
  const flow = new Flow(content, () => undefined);
  flow.text("Dear colleague, please find below the results of your patient named above.", 0, { size: flow.size });
  flow.down(flow.line);
  for (const { title, rows } of content.sections) {
    flow.need(flow.line * 4);
    flow.put(`${title}:`, 0, { isBold: true });
    flow.down(flow.line * 1.2);
    for (const row of rows) {
      const lines = flow.broken(sentence(row), flow.sheet.width - 30, { isBold: row.isAbnormal });
      flow.need((lines.length + row.notes.length) * flow.line);
      lines.forEach((line, place) => {
        flow.put(line, place === 0 ? 12 : 26, { isBold: row.isAbnormal, down: place * flow.line });
      });
      flow.down(lines.length * flow.line);
      for (const note of row.notes) flow.text(note, 26);
    }
    flow.down(flow.line * 0.8);
  }
  return flow.end("With kind regards, the laboratory");
}

function belowRow(flow: Flow, { cells, isAbnormal, notes }: ContentRow): void {
  const small = flow.size - 1;
  const ranges = (cells.range ?? "").split("\n").filter((text) => text !== "");
  const [first, ...others] = ranges;
  const isPerformed = cells.status === "Final";
  flow.need((2 + ranges.length + notes.length) * flow.line);
  flow.put(cells.test ?? "", 0, { isBold: true });
  flow.put([cells.value, cells.units].join(" ").trim(), 330, { isBold: isAbnormal });
  flow.put(cells.flag ?? "", flow.sheet.width, { isBold: true, align: "right" });
  flow.down(flow.line);
  if (first !== undefined) {
    const start = flow.put("Reference range: ", 14, { size: small, grey: 80 });
    flow.stack([first, ...others], start, { size: small, grey: 80 });
    flow.down(ranges.length * small * 1.25 + 1);
  }
  for (const note of [...(isPerformed ? [] : [cells.status ?? ""]), ...notes]) flow.text(note, 14, { size: small });
  flow.down(flow.line * 0.4);
}

/** Results with the range on a separate line below, for several groups with different ranges. */
export function rangeBelow(content: Content): DrawnPage[] {
  const flow = new Flow(content, () => undefined);
  for (const { title, rows } of content.sections) {
    flow.need(flow.line * 7);
    flow.put(title, 0, { isBold: true, size: flow.size + 2 });
    flow.put(`Specimen ${flow.detail("specimen")}, collected ${flow.detail("collected")}`, flow.sheet.width, {
      size: flow.size - 1.5,
      align: "right",
      grey: 90,
    });
    flow.down(flow.line * 1.4);
    flow.rule(0, flow.sheet.width, 0.8);
    flow.down(4);
    for (const row of rows) belowRow(flow, row);
    flow.down(flow.line * 0.8);
  }
  return flow.end();
}

function determinationTitles(flow: Flow): void {
  flow.rule(0, flow.sheet.width, 0.5);
  flow.put("Determination (unit)", 0, { isBold: true });
  flow.put("Limits", 340, { isBold: true, align: "center" });
  flow.put("Finding", flow.sheet.width, { isBold: true, align: "right" });
  flow.down(flow.line + 2);
  flow.rule(0, flow.sheet.width, 0.5);
  flow.down(4);
}

function determination(flow: Flow, { cells, isAbnormal, notes }: ContentRow): void {
  const unit = cells.units ? ` (${cells.units})` : "";
  const names = flow.broken(`${cells.test}${unit}`, 255);
  flow.need((names.length + notes.length) * flow.line);
  flow.stack(names, 0);
  flow.put(cells.range ?? "", 340, { align: "center" });
  const last = flow.sheet.width - flow.width(cells.value ?? "", { isBold: isAbnormal });
  flow.put(cells.value ?? "", last, { isBold: isAbnormal });
  flow.put(cells.flag ?? "", last - 3, { isBold: true, align: "right" });
  flow.down(names.length * flow.line);
  for (const note of notes) flow.text(note, 20, { size: flow.size - 1 });
}

/** A table with the unit in parentheses after the name, and the limits before the result. */
export function unitInName(content: Content): DrawnPage[] {
  const flow = new Flow(content, determinationTitles);
  for (const { title, rows } of content.sections) {
    flow.need(flow.line * 5);
    flow.put(`${title.toUpperCase()}   (sample taken ${flow.detail("collected")})`, 0, { isBold: true });
    flow.down(flow.line * 1.4);
    for (const row of rows) determination(flow, row);
    flow.down(flow.line * 0.7);
  }
  return flow.end("* outside the limits");
}
