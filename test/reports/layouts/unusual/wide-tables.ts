import { formatDate } from "../../content/patient.ts";
import type { ContentRow, ReportContent } from "../../content/report-content.ts";
import type { DrawnPage } from "../../pages/drawn-page.ts";
import { ReportFlow } from "../../pages/report-flow.ts";

const EARLIER = [530, 600, 670];

function earlierDays({ patient, layout }: ReportContent): string[] {
  const year = Number(patient.previousDate.slice(0, 4));
  return EARLIER.map((_, place) => formatDate(`${year - place}${patient.previousDate.slice(4)}`, layout, false));
}

function cumulativeTitles(flow: ReportFlow): void {
  flow.writeAt("Current", 372, { isBold: true });
  flow.writeAt("Previous results", (530 + 720) / 2, { isBold: true, align: "center" });
  flow.moveDown(flow.line);
  flow.rule(EARLIER[0], 720, 0.5);
  ["Analysis", "Unit", "Reference"].forEach((title, place) => {
    flow.writeAt(title, [2, 200, 282][place] ?? 0, { isBold: true });
  });
  flow.writeAt(flow.detail("collected"), 372, { isBold: true });
  flow.writeAt("Flag", 478, { isBold: true });
  earlierDays(flow.content).forEach((day, place) => {
    flow.writeAt(day, EARLIER[place] ?? 0, { isBold: true });
  });
  flow.moveDown(flow.line + 2);
  flow.rule(0, 720, 1);
  flow.moveDown(2);
}

function cumulativeRow(flow: ReportFlow, { cells, isAbnormal }: ContentRow): void {
  const names = flow.breakText(cells.test ?? "", 188);
  const height = names.length * flow.line;
  flow.ensureRoom(height);
  flow.fill(366, 104, height, 236);
  flow.writeLines(names, 8);
  flow.writeAt(cells.units ?? "", 200);
  flow.writeAt(cells.range ?? "", 282);
  flow.writeAt(cells.value ?? "", 372, { isBold: isAbnormal });
  flow.writeAt(cells.flag ?? "", 478, { isBold: true });
  (cells.previous ?? "").split("\n").forEach((value, place) => {
    flow.writeAt(value, EARLIER[place] ?? 0, { grey: 70 });
  });
  flow.moveDown(height);
}

/** A landscape sheet: today's results, and those of three earlier years beside them. */
export function cumulativeForm(content: ReportContent): DrawnPage[] {
  const flow = new ReportFlow(content, cumulativeTitles);
  for (const { title, rows } of content.sections) {
    flow.ensureRoom(flow.line * 4);
    flow.writeAt(title, 2, { isBold: true });
    flow.moveDown(flow.line + 2);
    for (const row of rows) cumulativeRow(flow, row);
    flow.moveDown(flow.line * 0.5);
  }
  return flow.finish();
}

function underTitles(flow: ReportFlow): void {
  flow.fill(0, flow.sheet.width, flow.line + 3, 222);
  flow.writeAt("Analysis / method", 4, { isBold: true });
  flow.writeAt("Result", 310, { isBold: true, align: "right" });
  flow.writeAt("Normal values", 352, { isBold: true });
  flow.moveDown(flow.line + 6);
}

function underRow(flow: ReportFlow, { cells, isAbnormal, method }: ContentRow): void {
  const small = flow.size - 1.5;
  const names = flow.breakText(cells.test ?? "", 215);
  const under = method === null ? [] : [method.replace("Method: ", "")];
  const ranges = (cells.range ?? "").split("\n");
  const unit = cells.units === "" ? 0 : 1;
  const lines = Math.max(names.length + under.length, 1 + unit, ranges.length);
  flow.ensureRoom(lines * flow.line + 4);
  flow.writeLines(names, 4, { isBold: isAbnormal });
  flow.writeLines(under, 4, { size: small, grey: 80, down: names.length * flow.line });
  flow.writeAt(cells.value ?? "", 310, { isBold: true, align: "right" });
  flow.writeAt(cells.flag ?? "", 318, { isBold: true });
  flow.writeAt(cells.units ?? "", 310, { size: small, grey: 60, align: "right", down: flow.line });
  flow.writeLines(ranges, 352);
  flow.moveDown(lines * flow.line + 3);
  flow.rule(0, flow.sheet.width, 0.3, 160);
  flow.moveDown(2);
}

/** A table with the unit below each result, and ranges of several lines. */
export function unitUnderResultForm(content: ReportContent): DrawnPage[] {
  const flow = new ReportFlow(content, underTitles);
  for (const { title, rows } of content.sections) {
    flow.ensureRoom(flow.line * 6);
    flow.writeAt(title, 4, { isBold: true, size: flow.size + 1 });
    flow.moveDown(flow.line * 1.5);
    for (const row of rows) underRow(flow, row);
    flow.moveDown(flow.line * 0.6);
  }
  return flow.finish("↑ above, ↓ below the normal values; ↑↑ and ↓↓ critical; ! abnormal");
}

const CODED = { current: 196, previous: 296, units: 398, range: 456 };

function codedTitles(flow: ReportFlow): void {
  const titles = ["Current Result and Flag", "Previous Result and Date", "Units", "Reference Interval"];
  const size = flow.size - 0.5;
  flow.fill(0, flow.sheet.width, flow.line + 3, 60);
  ["Test", ...titles].forEach((title, place) => {
    flow.writeAt(title, [4, ...Object.values(CODED)][place] ?? 0, { isBold: true, size, grey: 250 });
  });
  flow.moveDown(flow.line + 6);
}

function codedRow(flow: ReportFlow, { cells, isAbnormal, notes }: ContentRow): void {
  const names = flow.breakText(cells.test ?? "", CODED.current - 40);
  const isPerformed = cells.status === "Final";
  flow.ensureRoom((names.length + notes.length + 1) * flow.line);
  flow.writeLines(names, 12);
  const end = 12 + flow.width(names.at(-1) ?? "");
  const raised = (names.length - 1) * flow.size * 1.25 - flow.size * 0.35;
  flow.writeAt(cells.site ?? "", end + 1, { size: flow.size * 0.6, down: raised });
  const next = flow.writeAt(cells.value ?? "", CODED.current, { isBold: isAbnormal });
  flow.writeAt(cells.flag ?? "", next + 8, { isBold: true });
  const then = flow.writeAt(cells.previous ?? "", CODED.previous);
  if (cells.previous) flow.writeAt(cells.previousDate ?? "", Math.max(then + 6, CODED.previous + 46), { grey: 80 });
  flow.writeAt(cells.units ?? "", CODED.units);
  flow.writeAt(cells.range ?? "", CODED.range);
  flow.moveDown(names.length * flow.line);
  for (const note of [...(isPerformed ? [] : [cells.status ?? ""]), ...notes]) flow.writeText(note, 24);
}

/** A table with superscript codes of the performing laboratory at the tests. */
export function labCodeForm(content: ReportContent): DrawnPage[] {
  const flow = new ReportFlow(content, codedTitles);
  for (const { title, rows } of content.sections) {
    flow.ensureRoom(flow.line * 5);
    flow.writeAt(title, 4, { isBold: true });
    flow.rule(0, flow.sheet.width, 0.4, 150);
    flow.moveDown(flow.line + 3);
    for (const row of rows) {
      if (flow.ensureRoom(flow.line * 3)) {
        flow.writeAt(`${title} (Cont.)`, 4, { isBold: true });
        flow.moveDown(flow.line + 3);
      }
      codedRow(flow, row);
    }
    flow.moveDown(flow.line * 0.6);
  }
  return flow.finish("01: performed at the laboratory named above   02: performed at its branch, Fairview");
}
