import type { ContentRow, ReportContent, ReportSection } from "../../content/report-content.ts";
import type { DrawnPage } from "../../pages/drawn-page.ts";
import { ReportFlow } from "../../pages/report-flow.ts";
import { frenchNames } from "./french-names.ts";

const GRADED = { note: 12, flag: 232, value: 292, unit: 304, range: 375 };

function gradedTitles(flow: ReportFlow): void {
  flow.rule();
  flow.moveDown(2);
  flow.writeAt("Test Name", 2, { isBold: true });
  flow.writeAt("Result", GRADED.value, { isBold: true, align: "right" });
  flow.writeAt("Unit", GRADED.unit, { isBold: true });
  flow.writeAt("Bio. Ref. Interval", GRADED.range, { isBold: true });
  flow.moveDown(flow.line + 2);
  flow.rule();
  flow.moveDown(4);
}

function gradedRow(flow: ReportFlow, { cells, isAbnormal, method, notes }: ContentRow): void {
  const small = flow.size - 1.5;
  const names = flow.breakText(cells.test ?? "", 205, { isBold: true });
  const under = method === null ? [] : [`(${method.replace("Method: ", "")})`];
  const ranges = (cells.range ?? "").split("\n");
  const depth = Math.max(names.length + under.length, ranges.length);
  flow.ensureRoom((depth + notes.length + 1) * flow.line);
  flow.writeLines(names, 2, { isBold: true });
  flow.writeLines(under, 2, { size: small, grey: 80, down: names.length * flow.size * 1.25 });
  flow.writeAt(cells.flag ?? "", GRADED.flag, { isBold: true });
  flow.writeAt(cells.value ?? "", GRADED.value, { align: "right", isBold: isAbnormal });
  flow.writeAt(cells.units ?? "", GRADED.unit);
  flow.writeLines(ranges, GRADED.range);
  flow.moveDown(depth * flow.size * 1.25 + (notes.length > 0 ? 0 : 4));
  for (const note of notes) flow.writeText(note, GRADED.note, { size: small });
  if (notes.length > 0) flow.moveDown(5);
}

/** Ranges as lists of named grades, methods below the names, and the flag letter before its value. */
export function gradedRangeForm(content: ReportContent): DrawnPage[] {
  const flow = new ReportFlow(content, gradedTitles);
  for (const { title, rows } of content.sections) {
    flow.ensureRoom(flow.line * 8);
    flow.writeAt(title, flow.sheet.width / 2, { isBold: true, align: "center", size: flow.size + 1 });
    flow.moveDown(flow.line * 1.6);
    for (const row of rows) gradedRow(flow, row);
    flow.moveDown(flow.line * 0.5);
  }
  flow.writeAt("*** End of report ***", flow.sheet.width / 2, { align: "center" });
  flow.moveDown(flow.line);
  return flow.finish("H: above, L: below the biological reference interval; HH, LL: critical; A: abnormal");
}

const FRENCH = { flag: 250, value: 240, unit: 272, range: 352 };

function frenchTitles(flow: ReportFlow): void {
  const small = flow.size - 1.5;
  const titles = [
    ["Test", "Analyse", 4],
    ["Result", "Résultat", 202],
    ["Flag", "Alerte", 244],
    ["Unit", "Unité", FRENCH.unit],
    ["Reference by age", "Référence selon l'âge", FRENCH.range],
  ] as const;
  flow.fill(0, flow.sheet.width, flow.line * 2 + 2, 228);
  for (const [english, other, x] of titles) {
    flow.writeAt(english, x, { isBold: true });
    flow.writeAt(other, x, { size: small, down: flow.line - 1 });
  }
  flow.moveDown(flow.line * 2 + 6);
}

function frenchRow(flow: ReportFlow, { key, cells, isAbnormal }: ContentRow): void {
  const small = flow.size - 1.5;
  const names = flow.breakText(cells.test ?? "", 170);
  const under = [frenchNames[key]].filter((text) => text !== undefined);
  const ranges = (cells.range ?? "").split("\n");
  const height = Math.max(names.length + under.length, ranges.length) * flow.size * 1.25 + 3;
  flow.ensureRoom(height + 4);
  flow.writeLines(names, 4, { isBold: isAbnormal });
  flow.writeLines(under, 4, { size: small, grey: 90, down: names.length * flow.size * 1.2 });
  flow.writeAt(cells.value ?? "", FRENCH.value, { align: "right", isBold: isAbnormal });
  flow.writeAt(cells.flag ?? "", FRENCH.flag, { isBold: true });
  flow.writeAt(cells.units ?? "", FRENCH.unit);
  flow.writeLines(ranges, FRENCH.range, { size: flow.size - 0.5 });
  flow.moveDown(height);
  flow.rule(0, flow.sheet.width, 0.3, 170);
  flow.moveDown(3);
}

/** Headings in English and French, French names in small letters below the English ones, and ranges by age. */
export function bilingualForm(content: ReportContent): DrawnPage[] {
  const flow = new ReportFlow(content, frenchTitles);
  for (const { title, rows } of content.sections) {
    flow.ensureRoom(flow.line * 6);
    flow.writeAt(title, 4, { isBold: true, size: flow.size + 1 });
    flow.moveDown(flow.line * 1.5);
    for (const row of rows) frenchRow(flow, row);
    flow.moveDown(flow.line * 0.5);
  }
  return flow.finish("H: above / au-dessus   L: below / au-dessous   HH, LL: critical / critique");
}

const RAISED = "abcdefghijklmnopqrstuvwxyz";

/** The footnotes of a panel, each text once, by its letter. */
function footnotesOf({ rows }: ReportSection): Map<string, string> {
  const texts = rows.flatMap(({ notes, method }) => [notes.join(" "), method ?? ""]).filter((text) => text !== "");
  return new Map([...new Set(texts)].map((text, place) => [text, RAISED[place] ?? ""]));
}

function footnoteTitles(flow: ReportFlow): void {
  flow.writeAt("Procedure", 2, { isBold: true });
  flow.writeAt("Result", 250, { isBold: true });
  flow.writeAt("Flag", 325, { isBold: true });
  flow.writeAt("Reference Interval", 395, { isBold: true });
  flow.moveDown(flow.line + 2);
  flow.rule(0, flow.sheet.width, 1);
  flow.moveDown(4);
}

function footnoteRow(flow: ReportFlow, row: ContentRow, letters: ReadonlyMap<string, string>): void {
  const { cells, isAbnormal, notes, method } = row;
  const names = flow.breakText(cells.test ?? "", 235);
  const own = [...letters].flatMap(([text, letter]) => (text === notes.join(" ") || text === method ? [letter] : []));
  flow.writeLines(names, 2);
  const end = flow.writeAt(cells.value ?? "", 250, { isBold: isAbnormal });
  flow.writeAt(own.join(","), end + 1.5, { size: flow.size * 0.65, down: -flow.size * 0.35 });
  flow.writeAt(cells.flag ?? "", 325, { isBold: true });
  flow.writeAt(cells.range ? `[${cells.range}]` : "", 395);
  flow.moveDown(flow.line + (names.length - 1) * flow.size * 1.25);
}

/** Superscript letters after results refer to footnotes of the panel. A continued panel repeats its heading. */
export function footnoteForm(content: ReportContent): DrawnPage[] {
  const flow = new ReportFlow(content, () => undefined);
  for (const section of content.sections) {
    const letters = footnotesOf(section);
    flow.ensureRoom(flow.line * 8);
    flow.writeAt(section.title, 2, { isBold: true, size: flow.size + 1.5 });
    flow.moveDown(flow.line * 1.4);
    footnoteTitles(flow);
    for (const row of section.rows) {
      if (flow.ensureRoom(flow.line * 2.5)) {
        flow.writeAt(`${section.title} (continued)`, 2, { isBold: true, size: flow.size + 1.5 });
        flow.moveDown(flow.line * 1.4);
        footnoteTitles(flow);
      }
      footnoteRow(flow, row, letters);
    }
    flow.moveDown(3);
    for (const [text, letter] of letters) flow.writeText(`${letter}. ${text}`, 10, { size: flow.size - 1.5 });
    flow.moveDown(flow.line);
  }
  return flow.finish();
}
