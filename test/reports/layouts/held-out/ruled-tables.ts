import { formatDate } from "../../content/patient.ts";
import type { ContentRow, ReportContent } from "../../content/report-content.ts";
import type { DrawnPage } from "../../pages/drawn-page.ts";
import { ReportFlow } from "../../pages/report-flow.ts";
import { rangeLimits } from "./range-rewordings.ts";

const DAYS = { label: 92, across: 8 };

/** The date of the results and earlier dates, earliest first, each with its values. */
function days({ layout, patient }: ReportContent, rows: readonly ContentRow[]): { day: string; values: string[] }[] {
  const year = Number(patient.previousDate.slice(0, 4));
  const earlier = [1, 0].map((back) => ({
    day: formatDate(`${year - back}${patient.previousDate.slice(4)}`, layout, false),
    values: rows.map(({ cells }) => (cells.previous ?? "").split("\n")[back] ?? ""),
  }));
  const values = rows.map(({ cells }) => [cells.value, cells.flag].filter((text) => text).join(" "));
  return [...earlier, { day: patient.lines.find(({ detail }) => detail === "collected")?.text ?? "", values }];
}

function dayBand(flow: ReportFlow, rows: readonly ContentRow[]): void {
  const wide = (flow.sheet.width - DAYS.label) / DAYS.across;
  const edge = DAYS.label + rows.length * wide;
  const names = rows.map(({ cells }) => flow.breakText(cells.test ?? "", wide - 6, { isBold: true }));
  const first = Math.max(...names.map(({ length }) => length)) * flow.size * 1.25 + 4;
  const found = days(flow.content, rows);
  const small = flow.size - 1;
  const lines = [
    { label: "Unit", texts: rows.map(({ cells }) => cells.units ?? ""), size: small },
    { label: "Lower limit", texts: rows.map((row) => rangeLimits(row)[0]), size: small },
    { label: "Upper limit", texts: rows.map((row) => rangeLimits(row)[1]), size: small },
    ...found.map(({ day, values }) => ({ label: day, texts: values, size: flow.size })),
  ];
  flow.ensureRoom(first + lines.length * (flow.line + 1) + 12);
  flow.fill(0, edge, first, 226);
  flow.writeAt("Date / time", 4, { isBold: true });
  names.forEach((name, place) => {
    flow.writeLines(name, DAYS.label + (place + 0.5) * wide, { isBold: true, align: "center" });
  });
  flow.moveDown(first);
  lines.forEach(({ label, texts, size }, place) => {
    const isToday = place === lines.length - 1;
    if (place === 3 || isToday) flow.rule(0, edge, 0.8);
    flow.writeAt(label, 4, { size, isBold: isToday });
    texts.forEach((text, test) => {
      const isBold = isToday && rows[test]?.isAbnormal === true;
      flow.writeAt(text, DAYS.label + (test + 0.5) * wide, { align: "center", size, isBold });
    });
    flow.moveDown(flow.line + 1);
  });
  flow.rule(0, edge, 0.8);
  flow.moveDown(12);
}

/** Tests are columns below their units and limits; the rows are the dates of three years, latest last. */
export function datesInRowsForm(content: ReportContent): DrawnPage[] {
  const flow = new ReportFlow(content, () => undefined);
  for (const { title, rows } of content.sections) {
    flow.ensureRoom(flow.line * 12);
    flow.writeAt(title, 0, { isBold: true, size: flow.size + 1.5 });
    flow.moveDown(flow.line * 1.5);
    const bands = Math.ceil(rows.length / DAYS.across);
    const each = Math.ceil(rows.length / bands);
    for (let place = 0; place < rows.length; place += each) dayBand(flow, rows.slice(place, place + each));
  }
  return flow.finish(
    "The last line of each block is the specimen of this report. H above, L below the limits; HH, LL critical.",
  );
}

const GROUPS = { test: 74, value: 262, unit: 268, mark: 340, low: 386, high: 424, before: 466, day: 472, end: 527 };
const EDGES = [0, GROUPS.test, 214, 352, 430, GROUPS.end];

function groupTitles(flow: ReportFlow): void {
  const { left, y } = flow.sheet;
  const [, , result = 0, reference = 0, before = 0, end = 0] = EDGES;
  const height = flow.line * 2 + 4;
  flow.fill(0, end, height, 230);
  flow.writeAt("Profile", 4, { isBold: true, down: flow.line * 0.5 });
  flow.writeAt("Parameter", GROUPS.test + 4, { isBold: true, down: flow.line * 0.5 });
  flow.writeAt("Result", (result + reference) / 2, { isBold: true, align: "center" });
  flow.writeAt("Reference limits", (reference + before) / 2, { isBold: true, align: "center" });
  flow.writeAt("Last finding", (before + end) / 2, { isBold: true, align: "center" });
  flow.page.line(left + result, y + flow.line + 2, left + end, y + flow.line + 2, 0.4);
  flow.moveDown(flow.line + 2);
  const small = { size: flow.size - 1 };
  flow.writeAt("Value", GROUPS.value, { ...small, align: "right" });
  flow.writeAt("Unit", GROUPS.unit, small);
  flow.writeAt("Mark", 349, { ...small, align: "right" });
  flow.writeAt("lower", GROUPS.low, { ...small, align: "right" });
  flow.writeAt("upper", GROUPS.high, { ...small, align: "right" });
  flow.writeAt("Value", GROUPS.before, { ...small, align: "right" });
  flow.writeAt("Date", GROUPS.day, small);
  flow.moveDown(flow.line + 2);
  for (const edge of EDGES) flow.page.line(left + edge, y, left + edge, y + height, 0.4);
  flow.page.line(left, y, left + end, y, 0.8);
}

function groupRow(flow: ReportFlow, row: ContentRow, names: readonly string[], height: number): void {
  const { cells, isAbnormal } = row;
  const [low, high] = rangeLimits(row);
  const { left, y } = flow.sheet;
  flow.rule(GROUPS.test, GROUPS.end, 0.4, 120);
  flow.writeLines(names, GROUPS.test + 4, { down: 1 });
  flow.writeAt(cells.value ?? "", GROUPS.value, { align: "right", isBold: isAbnormal, down: 1 });
  flow.writeAt(cells.units ?? "", GROUPS.unit, { down: 1 });
  flow.writeAt(cells.flag ?? "", GROUPS.mark, { align: "center", down: 1 });
  flow.writeAt(low, GROUPS.low, { align: "right", down: 1 });
  flow.writeAt(high, GROUPS.high, { align: "right", down: 1 });
  if (cells.previous) {
    flow.writeAt(cells.previous, GROUPS.before, { align: "right", down: 1, grey: 80 });
    flow.writeAt(cells.previousDate ?? "", GROUPS.day, { down: 1, grey: 80 });
  }
  for (const edge of EDGES) flow.page.line(left + edge, y, left + edge, y + height, 0.4, 120);
  flow.moveDown(height);
}

/** A grid with headings over several columns, and the profile in a merged cell beside its rows. */
export function mergedCellsForm(content: ReportContent): DrawnPage[] {
  const flow = new ReportFlow(content, groupTitles);
  for (const { title, rows } of content.sections) {
    const heading = flow.breakText(title, GROUPS.test - 10, { isBold: true });
    flow.ensureRoom(Math.max(heading.length, 4) * (flow.line + 2));
    let isNamed = false;
    const top = flow.sheet.y;
    const page = flow.page;
    for (const row of rows) {
      const names = flow.breakText(row.cells.test ?? "", 214 - GROUPS.test - 8);
      const height = names.length * flow.size * 1.25 + 3;
      if (flow.ensureRoom(height)) isNamed = false;
      if (!isNamed) flow.writeLines(heading, 4, { isBold: true, down: 1 });
      if (!isNamed) flow.rule(0, GROUPS.test, 0.8);
      isNamed = true;
      groupRow(flow, row, names, height);
    }
    const least = heading.length * flow.size * 1.25 + 4;
    if (page === flow.page && flow.sheet.y < top + least) flow.moveDown(top + least - flow.sheet.y);
    flow.rule(0, GROUPS.end, 0.8);
  }
  return flow.finish("▲ above, ▼ below the reference limits; doubled: critical");
}
