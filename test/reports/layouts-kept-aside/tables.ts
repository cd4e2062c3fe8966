import type { Content, Section } from "../content.ts";
import type { DrawnPage } from "../drawn-page.ts";
import type { Flow } from "../flow.ts";
import { printedDate } from "../patient.ts";
import type { Detail } from "../patient-labels.ts";
import { materialOf } from "./local-words.ts";
import { asTable, type Table } from "./table.ts";

const said = ({ patient }: Content, name: Detail) => patient.lines.find(({ detail }) => detail === name)?.text ?? "";
const ofDay = (text: string) => text.split(" ");
/** A day and a time under each other. */
const inTwoLines = (text: string) => text.replace(/ (?=\d\d:)/, "\n");

function earlierDays({ patient, layout }: Content, count: number): string[] {
  const year = Number(patient.previously.slice(0, 4));
  return Array.from({ length: count }, (_, place) =>
    printedDate(`${year - place}${patient.previously.slice(4)}`, layout, false),
  );
}

const earlier = (texts: string | undefined, place: number) => (texts ?? "").split("\n")[place] ?? "";

const nothing = () => undefined;

const boldTitle =
  (inset: number, more = 0) =>
  (flow: Flow, { title }: Section): void => {
    flow.put(title, inset, { isBold: true, size: flow.size + more });
    flow.down(flow.line * 1.3 + more);
  };

const plain: Omit<Table, "name" | "columns"> = {
  titles: "page",
  band: null,
  hasRules: false,
  heading: boldTitle(0),
  closing: nothing,
  legend: [],
};

/** Range and unit in one column, then today's values and those of two years before, each under its day. */
export const latestRange: (content: Content) => DrawnPage[] = asTable((content) => {
  const days = earlierDays(content, 2);
  return {
    ...plain,
    titles: "section",
    band: 230,
    hasRules: true,
    name: { title: "Component", x: 4, width: 150 },
    columns: [
      {
        title: "Latest Ref Rng & Units",
        x: 165,
        text: ({ cells }) => `${cells.range ?? ""} ${cells.units ?? ""}`.trim(),
      },
      {
        title: inTwoLines(said(content, "collected")),
        x: 310,
        isStrong: true,
        text: ({ cells }) => `${cells.value}${cells.flag ? ` (${cells.flag})` : ""}`,
      },
      ...days.map((title, place) => ({
        title,
        x: 405 + place * 68,
        text: ({ cells }: { cells: { previous?: string } }) => earlier(cells.previous, place),
      })),
    ],
    heading: boldTitle(0, 1),
    legend: ["(H): Data is abnormally high   (L): Data is abnormally low   (A): Data is abnormal"],
  };
});

/** A chart's list: the time before each procedure, and who verified it behind the limits. */
export const chartList: (content: Content) => DrawnPage[] = asTable((content) => ({
  ...plain,
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

/** A practice's list: value, unit and range without titles, and in words what is wrong. */
export const practiceList: (content: Content) => DrawnPage[] = asTable((content) => ({
  ...plain,
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

/** Material, result, unit and range, then signs for high and low, and the result before. */
export const materialCodes: (content: Content) => DrawnPage[] = asTable((content) => ({
  ...plain,
  name: { title: "Examination", x: 0, width: 150 },
  columns: [
    { title: "Mat.", x: 158, text: materialOf },
    { title: "Result", x: 240, align: "right", isStrong: true, text: ({ cells }) => cells.value ?? "" },
    { title: "+/-", x: 256, align: "center", isStrong: true, text: ({ cells }) => cells.flag ?? "" },
    { title: "Unit", x: 272, text: ({ cells }) => cells.units ?? "" },
    { title: "Normal range", x: 350, text: ({ cells }) => cells.range ?? "" },
    {
      title: `Previous finding\n${earlierDays(content, 1)[0]}`,
      x: 515,
      align: "right",
      text: ({ cells }) => cells.previous ?? "",
    },
  ],
  heading: (flow, { title }) => {
    flow.put(title, 0, { isBold: true });
    flow.rule(0, flow.width(title, { isBold: true }), 0.4);
    flow.down(flow.line * 1.3);
  },
  legend: [
    "Mat.: S = serum, EB = EDTA blood, CP = citrate or fluoride plasma, U = urine",
    "+ above, - below the normal range; ++ and -- critical; ! abnormal",
  ],
}));

/** A cumulative sheet on which the latest day is the last. */
export const latestLast: (content: Content) => DrawnPage[] = asTable((content) => {
  const [second = "", first = ""] = earlierDays(content, 2);
  return {
    ...plain,
    hasRules: true,
    name: { title: "Analysis", x: 2, width: 150 },
    columns: [
      { title: "Unit", x: 160, text: ({ cells }) => cells.units ?? "" },
      { title: "Ref. interval", x: 235, text: ({ cells }) => cells.range ?? "" },
      { title: first, x: 370, align: "right", text: ({ cells }) => earlier(cells.previous, 1) },
      { title: second, x: 440, align: "right", text: ({ cells }) => earlier(cells.previous, 0) },
      {
        title: ofDay(said(content, "collected"))[0] ?? "",
        x: 510,
        align: "right",
        isStrong: true,
        text: ({ cells }) => `${cells.flag ? `${cells.flag} ` : ""}${cells.value}`,
      },
    ],
    legend: ["* outside the reference interval"],
  };
});

/** Blocks of a department, each closed by who authorised it. */
export const authorisedBlocks: (content: Content) => DrawnPage[] = asTable((content) => ({
  ...plain,
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

/** A reference laboratory's table on its side: accession and times behind each result. */
export const accessionTable: (content: Content) => DrawnPage[] = asTable((content) => ({
  ...plain,
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
