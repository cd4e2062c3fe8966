import type { Content, ContentRow } from "../../content.ts";
import type { DrawnPage } from "../../drawn-page.ts";
import { Flow } from "../../flow.ts";

function analyteRow(flow: Flow, { cells, isAbnormal, notes }: ContentRow): void {
  const small = flow.size - 1.5;
  const under = cells.range ? flow.broken(`Reference Range: ${cells.range}`, 330, { size: small }) : [];
  const names = flow.broken(cells.test ?? "", 330);
  flow.need((names.length + under.length + notes.length + 0.6) * flow.line);
  flow.stack(names, 6);
  flow.stack(under, 6, { size: small, grey: 95, down: names.length * flow.size * 1.25 });
  const end = flow.put(cells.value ?? "", 350, { isBold: isAbnormal });
  flow.put(cells.flag ?? "", Math.max(end + 8, 420), { isBold: true });
  flow.put(cells.site ?? "", flow.sheet.width - 4, { align: "right", grey: 95 });
  flow.down((names.length + under.length) * flow.size * 1.25 + 2);
  for (const note of notes) flow.text(note, 18, { size: small });
  flow.down(2);
  flow.rule(0, flow.sheet.width, 0.3, 200);
  flow.down(3);
}

/** Names with range and unit in small letters below, and bare values beside them. */
export function rangeUnderName(content: Content): DrawnPage[] {
  const flow = new Flow(content, () => undefined);
  for (const { title, rows } of content.sections) {
    flow.need(flow.line * 8);
    flow.fill(0, flow.sheet.width, flow.line * 1.3, 70);
    flow.put(title, 6, { isBold: true, grey: 250 });
    flow.put("Final", flow.sheet.width - 4, { align: "right", grey: 250 });
    flow.down(flow.line * 1.6);
    flow.put("Analyte", 6, { isBold: true });
    flow.put("Value", 350, { isBold: true });
    flow.put("Lab", flow.sheet.width - 4, { isBold: true, align: "right" });
    flow.down(flow.line * 1.2);
    for (const row of rows) analyteRow(flow, row);
    flow.down(flow.line * 0.6);
  }
  return flow.end("Lab 01: the laboratory named above. Lab 02: its branch, Kettle Springs.");
}

function labelled(flow: Flow, { cells, notes }: ContentRow): void {
  const fields = [
    ["Value", cells.value],
    ["Units", cells.units],
    ["Reference range", cells.range],
    ["Interpretation", cells.flag],
    ["Status", cells.status],
  ].filter(([, text]) => text);
  flow.need((fields.length + notes.length + 2) * flow.line);
  flow.put(cells.test ?? "", 0, { isBold: true });
  flow.down(flow.line);
  for (const [label = "", text = ""] of fields) {
    flow.put(`${label}:`, 14, { grey: 90 });
    flow.put(text, 120);
    flow.down(flow.line);
  }
  for (const note of notes) flow.text(`Note: ${note}`, 14);
  flow.down(flow.line * 0.5);
}

/** Results as a health record exports them: a heading with a list of labelled lines each. */
export function recordExport(content: Content): DrawnPage[] {
  const flow = new Flow(content, () => undefined);
  for (const { title, rows } of content.sections) {
    flow.need(flow.line * 9);
    flow.put(title, 0, { isBold: true, size: flow.size + 2 });
    flow.down(flow.line * 1.5);
    flow.put(`Date of result: ${flow.detail("collected")}`, 0, { grey: 90 });
    flow.down(flow.line * 1.2);
    flow.rule();
    flow.down(flow.line * 0.6);
    for (const row of rows) labelled(flow, row);
    flow.down(flow.line * 0.6);
  }
  return flow.end();
}

function slipLine(flow: Flow, { cells }: ContentRow): void {
  flow.need(flow.line);
  flow.put(cells.test ?? "", 60);
  flow.put(cells.value ?? "", 210, { align: "right", isBold: true });
  flow.put(cells.flag ?? "", 218, { isBold: true });
  flow.put(cells.units ? `[${cells.units}]` : "", 232);
  flow.put(cells.range ? `( ${cells.range} )` : "", 325);
  flow.down(flow.line);
}

/** The slip of an analyser: abbreviations, values with a sign, units in brackets. */
export function analyserSlip(content: Content): DrawnPage[] {
  const flow = new Flow(content, () => undefined);
  for (const { title, rows } of content.sections) {
    flow.need(flow.line * 6);
    flow.put(`--- ${title} ---`, 60);
    flow.put(`Run ${flow.detail("collected")}`, 440, { align: "right" });
    flow.down(flow.line * 1.5);
    for (const row of rows) slipLine(flow, row);
    flow.down(flow.line);
  }
  return flow.end("+ above the limits   - below the limits");
}
