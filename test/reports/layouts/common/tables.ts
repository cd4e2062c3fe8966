import type { ReportContent } from "../../content/report-content.ts";
import type { DrawnPage } from "../../pages/drawn-page.ts";
import { materialCode } from "./local-words.ts";
import { boldTitle, createTableForm, defaultTable, detailText, splitDateTime } from "./table-form.ts";

/** A chart's list: the time before each procedure, and the verifier after the limits. */
export const chartListForm: (content: ReportContent) => DrawnPage[] = createTableForm((content) => ({
  ...defaultTable,
  band: 215,
  name: { title: "Procedure", x: 84, width: 140 },
  columns: [
    { title: "Collected", x: 2, text: () => detailText(content, "collected") },
    {
      title: "Result",
      x: 232,
      isBoldIfAbnormal: true,
      text: ({ cells }) => [cells.value, cells.units].join(" ").trim(),
    },
    { title: "Interp", x: 338, isBoldIfAbnormal: true, text: ({ cells }) => cells.flag ?? "" },
    { title: "Normal Low/High", x: 372, text: ({ cells }) => cells.range ?? "" },
    { title: "Status", x: 455, text: () => "Auth (Verified)" },
  ],
  heading: boldTitle(2, 1),
  legend: ["HI: above high normal   LOW: below low normal   ABN: abnormal   CRIT: critical"],
}));

/** A practice's list: value, unit and range without titles, and the abnormality in words. */
export const practiceListForm: (content: ReportContent) => DrawnPage[] = createTableForm((content) => ({
  ...defaultTable,
  titles: "never",
  hasRules: true,
  name: { title: "", x: 6, width: 175 },
  columns: [
    { title: "", x: 190, isBoldIfAbnormal: true, text: ({ cells }) => `${cells.value} ${cells.units ?? ""}`.trim() },
    { title: "", x: 288, text: ({ cells }) => cells.range ?? "" },
    { title: "", x: 385, isBoldIfAbnormal: true, text: ({ cells }) => cells.flag ?? "" },
  ],
  heading: (flow, { title }) => {
    flow.writeAt(`${detailText(content, "collected")}   ${title}`, 0, { isBold: true });
    flow.writeAt("Viewed by practice, filed", flow.sheet.width, { align: "right", grey: 90, size: flow.size - 1 });
    flow.moveDown(flow.line * 1.4);
  },
}));

/** Blocks of a department, each with its authoriser at the end. */
export const authorisedBlocksForm: (content: ReportContent) => DrawnPage[] = createTableForm((content) => ({
  ...defaultTable,
  titles: "section",
  name: { title: "Test", x: 8, width: 190 },
  columns: [
    { title: "", x: 206, text: ({ cells }) => cells.flag ?? "" },
    { title: "Result", x: 218, text: ({ cells }) => cells.value ?? "" },
    { title: "Units", x: 300, text: ({ cells }) => cells.units ?? "" },
    { title: "Reference Range", x: 400, text: ({ cells }) => cells.range ?? "" },
  ],
  heading: (flow, { title, rows: [row] }) => {
    const kinds: Record<string, string> = { S: "SERUM", EB: "BLOOD (EDTA)", CP: "PLASMA", U: "URINE" };
    flow.writeAt(title, 0, { isBold: true });
    flow.moveDown(flow.line);
    const kind = row === undefined ? "" : (kinds[materialCode(row)] ?? "");
    flow.writeAt(`Specimen type : ${kind}`, 0);
    flow.writeAt(`Collected : ${detailText(content, "collected")}`, 250);
    flow.moveDown(flow.line * 1.3);
  },
  closing: (flow, { title }) => {
    flow.moveDown(2);
    flow.rule();
    flow.writeAt(`End of ${title}.  Authorised by: Duty Biochemist on ${detailText(content, "reported")}`, 0, {
      size: flow.size - 1,
    });
    flow.moveDown(flow.line * 1.3);
  },
  legend: ["* result outside the reference range"],
}));

/** A reference laboratory's landscape table: accession and times after each result. */
export const accessionTableForm: (content: ReportContent) => DrawnPage[] = createTableForm((content) => ({
  ...defaultTable,
  band: 225,
  hasRules: true,
  name: { title: "Procedure", x: 4, width: 190 },
  columns: [
    {
      title: "Result",
      x: 205,
      isBoldIfAbnormal: true,
      text: ({ cells }) => [cells.value, cells.flag].filter((text) => text).join(" "),
    },
    { title: "Units", x: 305, text: ({ cells }) => cells.units ?? "" },
    { title: "Ref Interval", x: 385, text: ({ cells }) => cells.range ?? "" },
    { title: "Accession", x: 480, text: () => detailText(content, "specimen") },
    { title: "Collected", x: 570, text: () => splitDateTime(detailText(content, "collected")) },
    { title: "Reported/\nVerified", x: 650, text: () => splitDateTime(detailText(content, "reported")) },
  ],
  legend: ["H = High, L = Low, * = Abnormal, C = Critical"],
}));
