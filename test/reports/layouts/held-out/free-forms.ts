import type { ContentRow, ReportContent, ReportSection } from "../../content/report-content.ts";
import type { DrawnPage } from "../../pages/drawn-page.ts";
import { ReportFlow } from "../../pages/report-flow.ts";

function phrase({ cells }: ContentRow): string {
  const range = cells.range ? `(${cells.range})` : "";
  return [cells.test, cells.value, cells.units, range, cells.flag].filter((text) => text).join(" ");
}

/** A discharge summary: the results of a panel are a paragraph of running text. */
export function runningTextForm(content: ReportContent): DrawnPage[] {
  const flow = new ReportFlow(content, () => undefined);
  const words = { size: flow.size, grey: 20 };
  const opening =
    "The patient was seen for the planned examination. Results of the laboratory are listed with their units, and with the reference range in parentheses.";
  flow.writeText(opening, 0, words);
  flow.moveDown(flow.line * 0.8);
  for (const { title, rows } of content.sections) {
    flow.ensureRoom(flow.line * 4);
    flow.writeAt(`${title}, ${flow.detail("collected")}`, 0, { isBold: true });
    flow.moveDown(flow.line * 1.2);
    flow.writeText(`${rows.map(phrase).join("; ")}.`, 0, words);
    flow.moveDown(flow.line * 0.8);
  }
  return flow.finish("The patient was discharged home in good condition; follow-up as arranged.");
}

const TECHNICAL = { technology: 178, value: 318, unit: 330, range: 410 };

const technologies = [
  [/^(tsh|t3|t4|vitamin|b12|folate|ferritin|insulin|c-pep|testo|shbg|estr|prog|fsh|lh|prol|dhea|amh)/, "C.L.I.A"],
  [/^(sodium|potassium|chloride)$/, "I.S.E - DIRECT"],
  [/^a1c$/, "H.P.L.C"],
  [/(ratio|saturation|globulin|egfr|bun-creatinine|vldl|-hdl|^ldl$|indirect|uibc)/, "CALCULATED"],
  [/^(wbc|rbc|hemo|hemat|mc|rdw|plat|mpv|neut|lymph|mono|eos|baso|imm|nrbc)/, "FLOW CYTOMETRY"],
] as const;

const technologyOf = (key: string): string => technologies.find(([pattern]) => pattern.test(key))?.[1] ?? "PHOTOMETRY";

function outside(flow: ReportFlow, sections: readonly ReportSection[]): void {
  const rows = sections.flatMap((section) => section.rows.filter(({ isAbnormal }) => isAbnormal));
  const height = (Math.max(rows.length, 1) + 1.6) * flow.line + 4;
  flow.frame(0, flow.sheet.width, height);
  flow.fill(0, flow.sheet.width, flow.line * 1.2, 220);
  flow.writeAt("Summary: tests outside the reference range (in full below)", 6, { isBold: true });
  flow.moveDown(flow.line * 1.4);
  if (rows.length === 0) flow.writeAt("None.", 6);
  for (const { cells } of rows) {
    flow.writeAt(cells.test ?? "", 6);
    flow.writeAt([cells.value, cells.units].join(" ").trim(), TECHNICAL.value - 60);
    flow.writeAt(cells.range ?? "", TECHNICAL.range);
    flow.moveDown(flow.line);
  }
  flow.moveDown(flow.line * (rows.length === 0 ? 3 : 2));
}

function technicalTitles(flow: ReportFlow): void {
  flow.rule(0, flow.sheet.width, 0.8);
  flow.writeAt("TEST NAME", 4, { isBold: true });
  flow.writeAt("TECHNOLOGY", TECHNICAL.technology, { isBold: true });
  flow.writeAt("VALUE", TECHNICAL.value, { isBold: true, align: "right" });
  flow.writeAt("UNITS", TECHNICAL.unit, { isBold: true });
  flow.writeAt("NORMAL RANGE", TECHNICAL.range, { isBold: true });
  flow.moveDown(flow.line + 2);
  flow.rule(0, flow.sheet.width, 0.8);
  flow.moveDown(4);
}

/** The first page summarizes results outside the range. All results follow by profile, with their methods. */
export function summaryFirstForm(content: ReportContent): DrawnPage[] {
  const flow = new ReportFlow(content, () => undefined);
  outside(flow, content.sections);
  for (const { title, rows } of content.sections) {
    flow.ensureRoom(flow.line * 8);
    flow.writeAt(`Profile: ${title}`, 4, { isBold: true, size: flow.size + 1 });
    flow.moveDown(flow.line * 1.5);
    technicalTitles(flow);
    for (const { key, cells, isAbnormal } of rows) {
      const names = flow.breakText(cells.test ?? "", TECHNICAL.technology - 12, { isBold: isAbnormal });
      const height = flow.line + (names.length - 1) * flow.size * 1.25;
      if (flow.ensureRoom(height)) technicalTitles(flow);
      flow.writeLines(names, 4, { isBold: isAbnormal });
      flow.writeAt(technologyOf(key), TECHNICAL.technology, { size: flow.size - 1, grey: 80 });
      flow.writeAt(cells.value ?? "", TECHNICAL.value, { align: "right", isBold: isAbnormal });
      flow.writeAt(cells.units ?? "", TECHNICAL.unit);
      flow.writeAt(cells.range ?? "", TECHNICAL.range);
      flow.moveDown(height);
    }
    flow.moveDown(flow.line);
  }
  return flow.finish();
}

/** The most frequent unit of a panel. */
function sharedUnit({ rows }: ReportSection): string {
  const units = rows.map(({ cells }) => cells.units ?? "").filter((unit) => unit !== "");
  const count = (unit: string) => units.filter((other) => other === unit).length;
  return units.toSorted((left, right) => count(right) - count(left))[0] ?? "";
}

const classes = [0.1, 0.35, 0.7, 3.5, 17.5, 50, 100];

/** The class of an amount of specific antibodies. */
const classOf = (number: number): string =>
  ["0", "0/1", "1", "2", "3", "4", "5", "6"][classes.filter((least) => number >= least).length] ?? "";

function sharedTitles(flow: ReportFlow, unit: string): void {
  flow.writeAt("Component", 4, { isBold: true });
  flow.writeAt(`Result (${unit})`, 230, { isBold: true });
  if (unit === "kU/L") flow.writeAt("Class", 350, { isBold: true, align: "center" });
  flow.writeAt("Reference", 390, { isBold: true });
  flow.writeAt("Flag", flow.sheet.width - 4, { isBold: true, align: "right" });
  flow.moveDown(flow.line + 2);
  flow.rule(0, flow.sheet.width, 0.5);
  flow.moveDown(3);
}

function sharedRow(flow: ReportFlow, { cells, measured, isAbnormal }: ContentRow, shared: string): void {
  const names = flow.breakText(cells.test ?? "", 215);
  const height = flow.line + (names.length - 1) * flow.size * 1.25;
  if (flow.ensureRoom(height)) sharedTitles(flow, shared);
  const unit = cells.units === shared ? "" : cells.units;
  flow.writeLines(names, 4);
  flow.writeAt([cells.value, unit].filter((text) => text).join(" "), 230, { isBold: isAbnormal });
  if (cells.units === "kU/L") flow.writeAt(classOf(measured.number ?? 0), 350, { align: "center" });
  flow.writeAt(cells.range ?? "", 390);
  flow.writeAt(cells.flag ?? "", flow.sheet.width - 4, { align: "right", isBold: true });
  flow.moveDown(height);
}

/** The column heading contains the unit. Only results in another unit have it next to them. */
export function sharedUnitForm(content: ReportContent): DrawnPage[] {
  const flow = new ReportFlow(content, () => undefined);
  for (const section of content.sections) {
    const unit = sharedUnit(section);
    flow.ensureRoom(flow.line * 7);
    flow.fill(0, flow.sheet.width, flow.line * 1.3, 218);
    flow.writeAt(section.title, 4, { isBold: true });
    flow.writeAt(`Results in ${unit} unless another unit is given`, flow.sheet.width - 4, { align: "right" });
    flow.moveDown(flow.line * 1.6);
    sharedTitles(flow, unit);
    for (const row of section.rows) sharedRow(flow, row, unit);
    flow.moveDown(flow.line);
  }
  return flow.finish();
}
