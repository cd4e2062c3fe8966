import type { Content } from "../../content.ts";
import type { DrawnPage } from "../../drawn-page.ts";
import { materialOf } from "./local-words.ts";
import { asTable, boldTitle, inTwoLines, plainTable, said } from "./table.ts";

/** A chart's list: the time before each procedure, and the verifier after the limits. */
export const chartList: (content: Content) => DrawnPage[] = asTable((content) => ({
  ...plainTable,
  band: 215,
  name: { title: "Procedure", x: 84, width: 140 },
  columns: [
    { title: "Collected", x: 2, text: () => said(content, "collected") },
    {
      title: "Result",
      x: 232,
      isStrong: true,
      text: ({ cells }) => [cells.value, cells.units].join(" ").trim(),
    },
    { title: "Interp", x: 338, isStrong: true, text: ({ cells }) => cells.flag ?? "" },
    { title: "Normal Low/High", x: 372, text: ({ cells }) => cells.range ?? "" },
    { title: "Status", x: 455, text: () => "Auth (Verified)" },
  ],
  heading: boldTitle(2, 1),
  legend: ["HI: above high normal   LOW: below low normal   ABN: abnormal   CRIT: critical"],
}));

/** A practice's list: value, unit and range without titles, and the abnormality in words. */
export const practiceList: (content: Content) => DrawnPage[] = asTable((content) => ({
  ...plainTable,
  titles: "never",
  hasRules: true,
  name: { title: "", x: 6, width: 175 },
  columns: [
    { title: "", x: 190, isStrong: true, text: ({ cells }) => `${cells.value} ${cells.units ?? ""}`.trim() },
    { title: "", x: 288, text: ({ cells }) => cells.range ?? "" },
    { title: "", x: 385, isStrong: true, text: ({ cells }) => cells.flag ?? "" },
  ],
  heading: (flow, { title }) => {
    flow.put(`${said(content, "collected")}   ${title}`, 0, { isBold: true });
    flow.put("Viewed by practice, filed", flow.sheet.width, { align: "right", grey: 90, size: flow.size - 1 });
    flow.down(flow.line * 1.4);
  },
}));

/** Blocks of a department, each with its authoriser at the end. */
export const authorisedBlocks: (content: Content) => DrawnPage[] = asTable((content) => ({
  ...plainTable,
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
    flow.put(title, 0, { isBold: true });
    flow.down(flow.line);
    const kind = row === undefined ? "" : (kinds[materialOf(row)] ?? "");
    flow.put(`Specimen type : ${kind}`, 0);
    flow.put(`Collected : ${said(content, "collected")}`, 250);
    flow.down(flow.line * 1.3);
  },
  closing: (flow, { title }) => {
    flow.down(2);
    flow.rule();
    flow.put(`End of ${title}.  Authorised by: Duty Biochemist on ${said(content, "reported")}`, 0, {
      size: flow.size - 1,
    });
    flow.down(flow.line * 1.3);
  },
  legend: ["* result outside the reference range"],
}));

/** A reference laboratory's landscape table: accession and times after each result. */
export const accessionTable: (content: Content) => DrawnPage[] = asTable((content) => ({
  ...plainTable,
  band: 225,
  hasRules: true,
  name: { title: "Procedure", x: 4, width: 190 },
  columns: [
    {
      title: "Result",
      x: 205,
      isStrong: true,
      text: ({ cells }) => [cells.value, cells.flag].filter((text) => text).join(" "),
    },
    { title: "Units", x: 305, text: ({ cells }) => cells.units ?? "" },
    { title: "Ref Interval", x: 385, text: ({ cells }) => cells.range ?? "" },
    { title: "Accession", x: 480, text: () => said(content, "specimen") },
    { title: "Collected", x: 570, text: () => inTwoLines(said(content, "collected")) },
    { title: "Reported/\nVerified", x: 650, text: () => inTwoLines(said(content, "reported")) },
  ],
  legend: ["H = High, L = Low, * = Abnormal, C = Critical"],
}));
