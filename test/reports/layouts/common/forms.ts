import type { ContentRow, ReportContent } from "../../content/report-content.ts";
import type { DrawnPage } from "../../pages/drawn-page.ts";
import { ReportFlow } from "../../pages/report-flow.ts";

function analyteRow(flow: ReportFlow, { cells, isAbnormal, notes }: ContentRow): void {
  const small = flow.size - 1.5;
  const under = cells.range ? flow.breakText(`Reference Range: ${cells.range}`, 330, { size: small }) : [];
  const names = flow.breakText(cells.test ?? "", 330);
  flow.ensureRoom((names.length + under.length + notes.length + 0.6) * flow.line);
  flow.writeLines(names, 6);
  flow.writeLines(under, 6, { size: small, grey: 95, down: names.length * flow.size * 1.25 });
  const end = flow.writeAt(cells.value ?? "", 350, { isBold: isAbnormal });
  flow.writeAt(cells.flag ?? "", Math.max(end + 8, 420), { isBold: true });
  flow.writeAt(cells.site ?? "", flow.sheet.width - 4, { align: "right", grey: 95 });
  flow.moveDown((names.length + under.length) * flow.size * 1.25 + 2);
  for (const note of notes) flow.writeText(note, 18, { size: small });
  flow.moveDown(2);
  flow.rule(0, flow.sheet.width, 0.3, 200);
  flow.moveDown(3);
}

/** Names with range and unit in small letters below, and bare values beside them. */
export function rangeUnderNameForm(content: ReportContent): DrawnPage[] {
  const flow = new ReportFlow(content, () => undefined);
  for (const { title, rows } of content.sections) {
    flow.ensureRoom(flow.line * 8);
    flow.fill(0, flow.sheet.width, flow.line * 1.3, 70);
    flow.writeAt(title, 6, { isBold: true, grey: 250 });
    flow.writeAt("Final", flow.sheet.width - 4, { align: "right", grey: 250 });
    flow.moveDown(flow.line * 1.6);
    flow.writeAt("Analyte", 6, { isBold: true });
    flow.writeAt("Value", 350, { isBold: true });
    flow.writeAt("Lab", flow.sheet.width - 4, { isBold: true, align: "right" });
    flow.moveDown(flow.line * 1.2);
    for (const row of rows) analyteRow(flow, row);
    flow.moveDown(flow.line * 0.6);
  }
  return flow.finish("Lab 01: the laboratory named above. Lab 02: its branch, Kettle Springs.");
}

function labelled(flow: ReportFlow, { cells, notes }: ContentRow): void {
  const fields = [
    ["Value", cells.value],
    ["Units", cells.units],
    ["Reference range", cells.range],
    ["Interpretation", cells.flag],
    ["Status", cells.status],
  ].filter(([, text]) => text);
  flow.ensureRoom((fields.length + notes.length + 2) * flow.line);
  flow.writeAt(cells.test ?? "", 0, { isBold: true });
  flow.moveDown(flow.line);
  for (const [label = "", text = ""] of fields) {
    flow.writeAt(`${label}:`, 14, { grey: 90 });
    flow.writeAt(text, 120);
    flow.moveDown(flow.line);
  }
  for (const note of notes) flow.writeText(`Note: ${note}`, 14);
  flow.moveDown(flow.line * 0.5);
}

/** Results as a health record exports them: a heading with a list of labelled lines each. */
export function recordExportForm(content: ReportContent): DrawnPage[] {
  const flow = new ReportFlow(content, () => undefined);
  for (const { title, rows } of content.sections) {
    flow.ensureRoom(flow.line * 9);
    flow.writeAt(title, 0, { isBold: true, size: flow.size + 2 });
    flow.moveDown(flow.line * 1.5);
    flow.writeAt(`Date of result: ${flow.detail("collected")}`, 0, { grey: 90 });
    flow.moveDown(flow.line * 1.2);
    flow.rule();
    flow.moveDown(flow.line * 0.6);
    for (const row of rows) labelled(flow, row);
    flow.moveDown(flow.line * 0.6);
  }
  return flow.finish();
}

function slipLine(flow: ReportFlow, { cells }: ContentRow): void {
  flow.ensureRoom(flow.line);
  flow.writeAt(cells.test ?? "", 60);
  flow.writeAt(cells.value ?? "", 210, { align: "right", isBold: true });
  flow.writeAt(cells.flag ?? "", 218, { isBold: true });
  flow.writeAt(cells.units ? `[${cells.units}]` : "", 232);
  flow.writeAt(cells.range ? `( ${cells.range} )` : "", 325);
  flow.moveDown(flow.line);
}

/** The slip of an analyser: abbreviations, values with a sign, units in brackets. */
export function analyserSlipForm(content: ReportContent): DrawnPage[] {
  const flow = new ReportFlow(content, () => undefined);
  for (const { title, rows } of content.sections) {
    flow.ensureRoom(flow.line * 6);
    flow.writeAt(`--- ${title} ---`, 60);
    flow.writeAt(`Run ${flow.detail("collected")}`, 440, { align: "right" });
    flow.moveDown(flow.line * 1.5);
    for (const row of rows) slipLine(flow, row);
    flow.moveDown(flow.line);
  }
  return flow.finish("+ above the limits   - below the limits");
}
