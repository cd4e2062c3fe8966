import type { ContentRow, ReportContent } from "../../content/report-content.ts";
import type { DrawnPage } from "../../pages/drawn-page.ts";
import { ReportFlow } from "../../pages/report-flow.ts";

function sentence({ cells }: ContentRow): string {
  const said = [cells.value, cells.units, cells.flag && `[${cells.flag}]`].filter((text) => text);
  const range = cells.range ? ` (normal ${cells.range})` : "";
  return `${cells.test}: ${said.join(" ")}${range}`;
}

/** A letter: each result is a line of text, without columns. */
export function letterForm(content: ReportContent): DrawnPage[] {
  const flow = new ReportFlow(content, () => undefined);
  flow.writeText("Dear colleague, please find below the results of your patient named above.", 0, { size: flow.size });
  flow.moveDown(flow.line);
  for (const { title, rows } of content.sections) {
    flow.ensureRoom(flow.line * 4);
    flow.writeAt(`${title}:`, 0, { isBold: true });
    flow.moveDown(flow.line * 1.2);
    for (const row of rows) {
      const lines = flow.breakText(sentence(row), flow.sheet.width - 30, { isBold: row.isAbnormal });
      flow.ensureRoom((lines.length + row.notes.length) * flow.line);
      lines.forEach((line, place) => {
        flow.writeAt(line, place === 0 ? 12 : 26, { isBold: row.isAbnormal, down: place * flow.line });
      });
      flow.moveDown(lines.length * flow.line);
      for (const note of row.notes) flow.writeText(note, 26);
    }
    flow.moveDown(flow.line * 0.8);
  }
  return flow.finish("With kind regards, the laboratory");
}

function belowRow(flow: ReportFlow, { cells, isAbnormal, notes }: ContentRow): void {
  const small = flow.size - 1;
  const ranges = (cells.range ?? "").split("\n").filter((text) => text !== "");
  const [first, ...others] = ranges;
  const isPerformed = cells.status === "Final";
  flow.ensureRoom((2 + ranges.length + notes.length) * flow.line);
  flow.writeAt(cells.test ?? "", 0, { isBold: true });
  flow.writeAt([cells.value, cells.units].join(" ").trim(), 330, { isBold: isAbnormal });
  flow.writeAt(cells.flag ?? "", flow.sheet.width, { isBold: true, align: "right" });
  flow.moveDown(flow.line);
  if (first !== undefined) {
    const start = flow.writeAt("Reference range: ", 14, { size: small, grey: 80 });
    flow.writeLines([first, ...others], start, { size: small, grey: 80 });
    flow.moveDown(ranges.length * small * 1.25 + 1);
  }
  for (const note of [...(isPerformed ? [] : [cells.status ?? ""]), ...notes])
    flow.writeText(note, 14, { size: small });
  flow.moveDown(flow.line * 0.4);
}

/** Results with the range on a separate line below, for several groups with different ranges. */
export function rangeBelowForm(content: ReportContent): DrawnPage[] {
  const flow = new ReportFlow(content, () => undefined);
  for (const { title, rows } of content.sections) {
    flow.ensureRoom(flow.line * 7);
    flow.writeAt(title, 0, { isBold: true, size: flow.size + 2 });
    flow.writeAt(`Specimen ${flow.detail("specimen")}, collected ${flow.detail("collected")}`, flow.sheet.width, {
      size: flow.size - 1.5,
      align: "right",
      grey: 90,
    });
    flow.moveDown(flow.line * 1.4);
    flow.rule(0, flow.sheet.width, 0.8);
    flow.moveDown(4);
    for (const row of rows) belowRow(flow, row);
    flow.moveDown(flow.line * 0.8);
  }
  return flow.finish();
}

function determinationTitles(flow: ReportFlow): void {
  flow.rule(0, flow.sheet.width, 0.5);
  flow.writeAt("Determination (unit)", 0, { isBold: true });
  flow.writeAt("Limits", 340, { isBold: true, align: "center" });
  flow.writeAt("Finding", flow.sheet.width, { isBold: true, align: "right" });
  flow.moveDown(flow.line + 2);
  flow.rule(0, flow.sheet.width, 0.5);
  flow.moveDown(4);
}

function determination(flow: ReportFlow, { cells, isAbnormal, notes }: ContentRow): void {
  const unit = cells.units ? ` (${cells.units})` : "";
  const names = flow.breakText(`${cells.test}${unit}`, 255);
  flow.ensureRoom((names.length + notes.length) * flow.line);
  flow.writeLines(names, 0);
  flow.writeAt(cells.range ?? "", 340, { align: "center" });
  const last = flow.sheet.width - flow.width(cells.value ?? "", { isBold: isAbnormal });
  flow.writeAt(cells.value ?? "", last, { isBold: isAbnormal });
  flow.writeAt(cells.flag ?? "", last - 3, { isBold: true, align: "right" });
  flow.moveDown(names.length * flow.line);
  for (const note of notes) flow.writeText(note, 20, { size: flow.size - 1 });
}

/** A table with the unit in parentheses after the name, and the limits before the result. */
export function unitInNameForm(content: ReportContent): DrawnPage[] {
  const flow = new ReportFlow(content, determinationTitles);
  for (const { title, rows } of content.sections) {
    flow.ensureRoom(flow.line * 5);
    flow.writeAt(`${title.toUpperCase()}   (sample taken ${flow.detail("collected")})`, 0, { isBold: true });
    flow.moveDown(flow.line * 1.4);
    for (const row of rows) determination(flow, row);
    flow.moveDown(flow.line * 0.7);
  }
  return flow.finish("* outside the limits");
}
