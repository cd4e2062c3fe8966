import type { Content, ContentRow } from "../../content.ts";
import type { DrawnPage } from "../../drawn-page.ts";
import { Flow } from "../../flow.ts";
import { printedDate } from "../../patient.ts";

const EARLIER = [530, 600, 670];

function earlierDays({ patient, layout }: Content): string[] {
  const year = Number(patient.previously.slice(0, 4));
  return EARLIER.map((_, place) => printedDate(`${year - place}${patient.previously.slice(4)}`, layout, false));
}

function cumulativeTitles(flow: Flow): void {
  flow.put("Current", 372, { isBold: true });
  flow.put("Previous results", (530 + 720) / 2, { isBold: true, align: "center" });
  flow.down(flow.line);
  flow.rule(EARLIER[0], 720, 0.5);
  ["Analysis", "Unit", "Reference"].forEach((title, place) => {
    flow.put(title, [2, 200, 282][place] ?? 0, { isBold: true });
  });
  flow.put(flow.detail("collected"), 372, { isBold: true });
  flow.put("Flag", 478, { isBold: true });
  earlierDays(flow.content).forEach((day, place) => {
    flow.put(day, EARLIER[place] ?? 0, { isBold: true });
  });
  flow.down(flow.line + 2);
  flow.rule(0, 720, 1);
  flow.down(2);
}

function cumulativeRow(flow: Flow, { cells, isAbnormal }: ContentRow): void {
  const names = flow.broken(cells.test ?? "", 188);
  const height = names.length * flow.line;
  flow.need(height);
  flow.fill(366, 104, height, 236);
  flow.stack(names, 8);
  flow.put(cells.units ?? "", 200);
  flow.put(cells.range ?? "", 282);
  flow.put(cells.value ?? "", 372, { isBold: isAbnormal });
  flow.put(cells.flag ?? "", 478, { isBold: true });
  (cells.previous ?? "").split("\n").forEach((value, place) => {
    flow.put(value, EARLIER[place] ?? 0, { grey: 70 });
  });
  flow.down(height);
}

/** A landscape sheet: today's results, and those of three earlier years beside them. */
export function cumulative(content: Content): DrawnPage[] {
  const flow = new Flow(content, cumulativeTitles);
  for (const { title, rows } of content.sections) {
    flow.need(flow.line * 4);
    flow.put(title, 2, { isBold: true });
    flow.down(flow.line + 2);
    for (const row of rows) cumulativeRow(flow, row);
    flow.down(flow.line * 0.5);
  }
  return flow.end();
}

function underTitles(flow: Flow): void {
  flow.fill(0, flow.sheet.width, flow.line + 3, 222);
  flow.put("Analysis / method", 4, { isBold: true });
  flow.put("Result", 310, { isBold: true, align: "right" });
  flow.put("Normal values", 352, { isBold: true });
  flow.down(flow.line + 6);
}

function underRow(flow: Flow, { cells, isAbnormal, method }: ContentRow): void {
  const small = flow.size - 1.5;
  const names = flow.broken(cells.test ?? "", 215);
  const under = method === null ? [] : [method.replace("Method: ", "")];
  const ranges = (cells.range ?? "").split("\n");
  const unit = cells.units === "" ? 0 : 1;
  const lines = Math.max(names.length + under.length, 1 + unit, ranges.length);
  flow.need(lines * flow.line + 4);
  flow.stack(names, 4, { isBold: isAbnormal });
  flow.stack(under, 4, { size: small, grey: 80, down: names.length * flow.line });
  flow.put(cells.value ?? "", 310, { isBold: true, align: "right" });
  flow.put(cells.flag ?? "", 318, { isBold: true });
  flow.put(cells.units ?? "", 310, { size: small, grey: 60, align: "right", down: flow.line });
  flow.stack(ranges, 352);
  flow.down(lines * flow.line + 3);
  flow.rule(0, flow.sheet.width, 0.3, 160);
  flow.down(2);
}

/** A table with the unit below each result, and ranges of several lines. */
export function unitUnder(content: Content): DrawnPage[] {
  const flow = new Flow(content, underTitles);
  for (const { title, rows } of content.sections) {
    flow.need(flow.line * 6);
    flow.put(title, 4, { isBold: true, size: flow.size + 1 });
    flow.down(flow.line * 1.5);
    for (const row of rows) underRow(flow, row);
    flow.down(flow.line * 0.6);
  }
  return flow.end("↑ above, ↓ below the normal values; ↑↑ and ↓↓ critical; ! abnormal");
}

const CODED = { current: 196, previous: 296, units: 398, range: 456 };

function codedTitles(flow: Flow): void {
  const titles = ["Current Result and Flag", "Previous Result and Date", "Units", "Reference Interval"];
  const size = flow.size - 0.5;
  flow.fill(0, flow.sheet.width, flow.line + 3, 60);
  ["Test", ...titles].forEach((title, place) => {
    flow.put(title, [4, ...Object.values(CODED)][place] ?? 0, { isBold: true, size, grey: 250 });
  });
  flow.down(flow.line + 6);
}

function codedRow(flow: Flow, { cells, isAbnormal, notes }: ContentRow): void {
  const names = flow.broken(cells.test ?? "", CODED.current - 40);
  const isPerformed = cells.status === "Final";
  flow.need((names.length + notes.length + 1) * flow.line);
  flow.stack(names, 12);
  const end = 12 + flow.width(names.at(-1) ?? "");
  const raised = (names.length - 1) * flow.size * 1.25 - flow.size * 0.35;
  flow.put(cells.site ?? "", end + 1, { size: flow.size * 0.6, down: raised });
  const next = flow.put(cells.value ?? "", CODED.current, { isBold: isAbnormal });
  flow.put(cells.flag ?? "", next + 8, { isBold: true });
  const then = flow.put(cells.previous ?? "", CODED.previous);
  if (cells.previous) flow.put(cells.previousDate ?? "", Math.max(then + 6, CODED.previous + 46), { grey: 80 });
  flow.put(cells.units ?? "", CODED.units);
  flow.put(cells.range ?? "", CODED.range);
  flow.down(names.length * flow.line);
  for (const note of [...(isPerformed ? [] : [cells.status ?? ""]), ...notes]) flow.text(note, 24);
}

/** A table with superscript codes of the performing laboratory at the tests. */
export function coded(content: Content): DrawnPage[] {
  const flow = new Flow(content, codedTitles);
  for (const { title, rows } of content.sections) {
    flow.need(flow.line * 5);
    flow.put(title, 4, { isBold: true });
    flow.rule(0, flow.sheet.width, 0.4, 150);
    flow.down(flow.line + 3);
    for (const row of rows) {
      if (flow.need(flow.line * 3)) {
        flow.put(`${title} (Cont.)`, 4, { isBold: true });
        flow.down(flow.line + 3);
      }
      codedRow(flow, row);
    }
    flow.down(flow.line * 0.6);
  }
  return flow.end("01: performed at the laboratory named above   02: performed at its branch, Fairview");
}
