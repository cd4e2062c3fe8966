import type { Content, ContentRow, Section } from "../content.ts";
import type { DrawnPage } from "../drawn-page.ts";
import { Flow } from "../flow.ts";
import { french } from "./french.ts";

const GRADED = { note: 12, flag: 232, value: 292, unit: 304, range: 375 };

function gradedTitles(flow: Flow): void {
  flow.rule();
  flow.down(2);
  flow.put("Test Name", 2, { isBold: true });
  flow.put("Result", GRADED.value, { isBold: true, align: "right" });
  flow.put("Unit", GRADED.unit, { isBold: true });
  flow.put("Bio. Ref. Interval", GRADED.range, { isBold: true });
  flow.down(flow.line + 2);
  flow.rule();
  flow.down(4);
}

function gradedRow(flow: Flow, { cells, isAbnormal, method, notes }: ContentRow): void {
  const small = flow.size - 1.5;
  const names = flow.broken(cells.test ?? "", 205, { isBold: true });
  const under = method === null ? [] : [`(${method.replace("Method: ", "")})`];
  const ranges = (cells.range ?? "").split("\n");
  const depth = Math.max(names.length + under.length, ranges.length);
  flow.need((depth + notes.length + 1) * flow.line);
  flow.stack(names, 2, { isBold: true });
  flow.stack(under, 2, { size: small, grey: 80, down: names.length * flow.size * 1.25 });
  flow.put(cells.flag ?? "", GRADED.flag, { isBold: true });
  flow.put(cells.value ?? "", GRADED.value, { align: "right", isBold: isAbnormal });
  flow.put(cells.units ?? "", GRADED.unit);
  flow.stack(ranges, GRADED.range);
  flow.down(depth * flow.size * 1.25 + (notes.length > 0 ? 0 : 4));
  for (const note of notes) flow.text(note, GRADED.note, { size: small });
  if (notes.length > 0) flow.down(5);
}

/** Ranges as lists of named grades, methods below the names, and the flag letter before its value. */
export function graded(content: Content): DrawnPage[] {
  const flow = new Flow(content, gradedTitles);
  for (const { title, rows } of content.sections) {
    flow.need(flow.line * 8);
    flow.put(title, flow.sheet.width / 2, { isBold: true, align: "center", size: flow.size + 1 });
    flow.down(flow.line * 1.6);
    for (const row of rows) gradedRow(flow, row);
    flow.down(flow.line * 0.5);
  }
  flow.put("*** End of report ***", flow.sheet.width / 2, { align: "center" });
  flow.down(flow.line);
  return flow.end("H: above, L: below the biological reference interval; HH, LL: critical; A: abnormal");
}

const FRENCH = { flag: 250, value: 240, unit: 272, range: 352 };

function frenchTitles(flow: Flow): void {
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
    flow.put(english, x, { isBold: true });
    flow.put(other, x, { size: small, down: flow.line - 1 });
  }
  flow.down(flow.line * 2 + 6);
}

function frenchRow(flow: Flow, { key, cells, isAbnormal }: ContentRow): void {
  const small = flow.size - 1.5;
  const names = flow.broken(cells.test ?? "", 170);
  const under = [french[key]].filter((text) => text !== undefined);
  const ranges = (cells.range ?? "").split("\n");
  const height = Math.max(names.length + under.length, ranges.length) * flow.size * 1.25 + 3;
  flow.need(height + 4);
  flow.stack(names, 4, { isBold: isAbnormal });
  flow.stack(under, 4, { size: small, grey: 90, down: names.length * flow.size * 1.2 });
  flow.put(cells.value ?? "", FRENCH.value, { align: "right", isBold: isAbnormal });
  flow.put(cells.flag ?? "", FRENCH.flag, { isBold: true });
  flow.put(cells.units ?? "", FRENCH.unit);
  flow.stack(ranges, FRENCH.range, { size: flow.size - 0.5 });
  flow.down(height);
  flow.rule(0, flow.sheet.width, 0.3, 170);
  flow.down(3);
}

/** Headings in English and French, French names in small letters below the English ones, and ranges by age. */
export function bilingual(content: Content): DrawnPage[] {
  const flow = new Flow(content, frenchTitles);
  for (const { title, rows } of content.sections) {
    flow.need(flow.line * 6);
    flow.put(title, 4, { isBold: true, size: flow.size + 1 });
    flow.down(flow.line * 1.5);
    for (const row of rows) frenchRow(flow, row);
    flow.down(flow.line * 0.5);
  }
  return flow.end("H: above / au-dessus   L: below / au-dessous   HH, LL: critical / critique");
}

const RAISED = "abcdefghijklmnopqrstuvwxyz";

/** The footnotes of a panel, each text once, by its letter. */
function footnotesOf({ rows }: Section): Map<string, string> {
  const texts = rows.flatMap(({ notes, method }) => [notes.join(" "), method ?? ""]).filter((text) => text !== "");
  return new Map([...new Set(texts)].map((text, place) => [text, RAISED[place] ?? ""]));
}

function footnoteTitles(flow: Flow): void {
  flow.put("Procedure", 2, { isBold: true });
  flow.put("Result", 250, { isBold: true });
  flow.put("Flag", 325, { isBold: true });
  flow.put("Reference Interval", 395, { isBold: true });
  flow.down(flow.line + 2);
  flow.rule(0, flow.sheet.width, 1);
  flow.down(4);
}

function footnoteRow(flow: Flow, row: ContentRow, letters: ReadonlyMap<string, string>): void {
  const { cells, isAbnormal, notes, method } = row;
  const names = flow.broken(cells.test ?? "", 235);
  const own = [...letters].flatMap(([text, letter]) => (text === notes.join(" ") || text === method ? [letter] : []));
  flow.stack(names, 2);
  const end = flow.put(cells.value ?? "", 250, { isBold: isAbnormal });
  flow.put(own.join(","), end + 1.5, { size: flow.size * 0.65, down: -flow.size * 0.35 });
  flow.put(cells.flag ?? "", 325, { isBold: true });
  flow.put(cells.range ? `[${cells.range}]` : "", 395);
  flow.down(flow.line + (names.length - 1) * flow.size * 1.25);
}

/** Superscript letters after results refer to footnotes of the panel. A continued panel repeats its heading. */
export function footnoted(content: Content): DrawnPage[] {
  const flow = new Flow(content, () => undefined);
  for (const section of content.sections) {
    const letters = footnotesOf(section);
    flow.need(flow.line * 8);
    flow.put(section.title, 2, { isBold: true, size: flow.size + 1.5 });
    flow.down(flow.line * 1.4);
    footnoteTitles(flow);
    for (const row of section.rows) {
      if (flow.need(flow.line * 2.5)) {
        flow.put(`${section.title} (continued)`, 2, { isBold: true, size: flow.size + 1.5 });
        flow.down(flow.line * 1.4);
        footnoteTitles(flow);
      }
      footnoteRow(flow, row, letters);
    }
    flow.down(3);
    for (const [text, letter] of letters) flow.text(`${letter}. ${text}`, 10, { size: flow.size - 1.5 });
    flow.down(flow.line);
  }
  return flow.end();
}
