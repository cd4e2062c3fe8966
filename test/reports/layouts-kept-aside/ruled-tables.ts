import type { Content, ContentRow } from "../content.ts";
import type { DrawnPage } from "../drawn-page.ts";
import { Flow } from "../flow.ts";
import { printedDate } from "../patient.ts";
import { limits } from "./words.ts";

const DAYS = { label: 92, across: 8 };

/** The date of the results and earlier dates, earliest first, each with its values. */
function days({ layout, patient }: Content, rows: readonly ContentRow[]): { day: string; values: string[] }[] {
  const year = Number(patient.previously.slice(0, 4));
  const earlier = [1, 0].map((back) => ({
    day: printedDate(`${year - back}${patient.previously.slice(4)}`, layout, false),
    values: rows.map(({ cells }) => (cells.previous ?? "").split("\n")[back] ?? ""),
  }));
  const values = rows.map(({ cells }) => [cells.value, cells.flag].filter((text) => text).join(" "));
  return [...earlier, { day: patient.lines.find(({ detail }) => detail === "collected")?.text ?? "", values }];
}

function dayBand(flow: Flow, rows: readonly ContentRow[]): void {
  const wide = (flow.sheet.width - DAYS.label) / DAYS.across;
  const edge = DAYS.label + rows.length * wide;
  const names = rows.map(({ cells }) => flow.broken(cells.test ?? "", wide - 6, { isBold: true }));
  const first = Math.max(...names.map(({ length }) => length)) * flow.size * 1.25 + 4;
  const found = days(flow.content, rows);
  const small = flow.size - 1;
  const lines = [
    { label: "Unit", texts: rows.map(({ cells }) => cells.units ?? ""), size: small },
    { label: "Lower limit", texts: rows.map((row) => limits(row)[0]), size: small },
    { label: "Upper limit", texts: rows.map((row) => limits(row)[1]), size: small },
    ...found.map(({ day, values }) => ({ label: day, texts: values, size: flow.size })),
  ];
  flow.need(first + lines.length * (flow.line + 1) + 12);
  flow.fill(0, edge, first, 226);
  flow.put("Date / time", 4, { isBold: true });
  names.forEach((name, place) => {
    flow.stack(name, DAYS.label + (place + 0.5) * wide, { isBold: true, align: "center" });
  });
  flow.down(first);
  lines.forEach(({ label, texts, size }, place) => {
    const isToday = place === lines.length - 1;
    if (place === 3 || isToday) flow.rule(0, edge, 0.8);
    flow.put(label, 4, { size, isBold: isToday });
    texts.forEach((text, test) => {
      const isBold = isToday && rows[test]?.isAbnormal === true;
      flow.put(text, DAYS.label + (test + 0.5) * wide, { align: "center", size, isBold });
    });
    flow.down(flow.line + 1);
  });
  flow.rule(0, edge, 0.8);
  flow.down(12);
}

/** Tests are columns below their units and limits; the rows are the dates of three years, latest last. */
export function daysDown(content: Content): DrawnPage[] {
  const flow = new Flow(content, () => undefined);
  for (const { title, rows } of content.sections) {
    flow.need(flow.line * 12);
    flow.put(title, 0, { isBold: true, size: flow.size + 1.5 });
    flow.down(flow.line * 1.5);
    const bands = Math.ceil(rows.length / DAYS.across);
    const each = Math.ceil(rows.length / bands);
    for (let place = 0; place < rows.length; place += each) dayBand(flow, rows.slice(place, place + each));
  }
  return flow.end(
    "The last line of each block is the specimen of this report. H above, L below the limits; HH, LL critical.",
  );
}

const GROUPS = { test: 74, value: 262, unit: 268, mark: 340, low: 386, high: 424, before: 466, day: 472, end: 527 };
const EDGES = [0, GROUPS.test, 214, 352, 430, GROUPS.end];

function groupTitles(flow: Flow): void {
  const { left, y } = flow.sheet;
  const [, , result = 0, reference = 0, before = 0, end = 0] = EDGES;
  const height = flow.line * 2 + 4;
  flow.fill(0, end, height, 230);
  flow.put("Profile", 4, { isBold: true, down: flow.line * 0.5 });
  flow.put("Parameter", GROUPS.test + 4, { isBold: true, down: flow.line * 0.5 });
  flow.put("Result", (result + reference) / 2, { isBold: true, align: "center" });
  flow.put("Reference limits", (reference + before) / 2, { isBold: true, align: "center" });
  flow.put("Last finding", (before + end) / 2, { isBold: true, align: "center" });
  flow.page.line(left + result, y + flow.line + 2, left + end, y + flow.line + 2, 0.4);
  flow.down(flow.line + 2);
  const small = { size: flow.size - 1 };
  flow.put("Value", GROUPS.value, { ...small, align: "right" });
  flow.put("Unit", GROUPS.unit, small);
  flow.put("Mark", 349, { ...small, align: "right" });
  flow.put("lower", GROUPS.low, { ...small, align: "right" });
  flow.put("upper", GROUPS.high, { ...small, align: "right" });
  flow.put("Value", GROUPS.before, { ...small, align: "right" });
  flow.put("Date", GROUPS.day, small);
  flow.down(flow.line + 2);
  for (const edge of EDGES) flow.page.line(left + edge, y, left + edge, y + height, 0.4);
  flow.page.line(left, y, left + end, y, 0.8);
}

function groupRow(flow: Flow, row: ContentRow, names: readonly string[], height: number): void {
  const { cells, isAbnormal } = row;
  const [low, high] = limits(row);
  const { left, y } = flow.sheet;
  flow.rule(GROUPS.test, GROUPS.end, 0.4, 120);
  flow.stack(names, GROUPS.test + 4, { down: 1 });
  flow.put(cells.value ?? "", GROUPS.value, { align: "right", isBold: isAbnormal, down: 1 });
  flow.put(cells.units ?? "", GROUPS.unit, { down: 1 });
  flow.put(cells.flag ?? "", GROUPS.mark, { align: "center", down: 1 });
  flow.put(low, GROUPS.low, { align: "right", down: 1 });
  flow.put(high, GROUPS.high, { align: "right", down: 1 });
  if (cells.previous) {
    flow.put(cells.previous, GROUPS.before, { align: "right", down: 1, grey: 80 });
    flow.put(cells.previousDate ?? "", GROUPS.day, { down: 1, grey: 80 });
  }
  for (const edge of EDGES) flow.page.line(left + edge, y, left + edge, y + height, 0.4, 120);
  flow.down(height);
}

/** A grid with headings over several columns, and the profile in a merged cell beside its rows. */
export function mergedGroups(content: Content): DrawnPage[] {
  const flow = new Flow(content, groupTitles);
  for (const { title, rows } of content.sections) {
    const heading = flow.broken(title, GROUPS.test - 10, { isBold: true });
    flow.need(Math.max(heading.length, 4) * (flow.line + 2));
    let isNamed = false;
    const top = flow.sheet.y;
    const page = flow.page;
    for (const row of rows) {
      const names = flow.broken(row.cells.test ?? "", 214 - GROUPS.test - 8);
      const height = names.length * flow.size * 1.25 + 3;
      if (flow.need(height)) isNamed = false;
      if (!isNamed) flow.stack(heading, 4, { isBold: true, down: 1 });
      if (!isNamed) flow.rule(0, GROUPS.test, 0.8);
      isNamed = true;
      groupRow(flow, row, names, height);
    }
    const least = heading.length * flow.size * 1.25 + 4;
    if (page === flow.page && flow.sheet.y < top + least) flow.down(top + least - flow.sheet.y);
    flow.rule(0, GROUPS.end, 0.8);
  }
  return flow.end("▲ above, ▼ below the reference limits; doubled: critical");
}
