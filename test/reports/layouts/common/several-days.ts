import { formatDate } from "../../content/patient.ts";
import type { ReportContent } from "../../content/report-content.ts";
import type { DrawnPage } from "../../pages/drawn-page.ts";
import { materialCode } from "./local-words.ts";
import { boldTitle, createTableForm, defaultTable, detailText, splitDateTime } from "./table-form.ts";

function earlierDays({ patient, layout }: ReportContent, count: number): string[] {
  const year = Number(patient.previousDate.slice(0, 4));
  return Array.from({ length: count }, (_, place) =>
    formatDate(`${year - place}${patient.previousDate.slice(4)}`, layout, false),
  );
}

const earlier = (texts: string | undefined, place: number) => (texts ?? "").split("\n")[place] ?? "";

/** Range and unit in one column, then today's values and those of two earlier dates, each below its date. */
export const latestRangeForm: (content: ReportContent) => DrawnPage[] = createTableForm((content) => {
  const days = earlierDays(content, 2);
  return {
    ...defaultTable,
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
        title: splitDateTime(detailText(content, "collected")),
        x: 310,
        isBoldIfAbnormal: true,
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

/** Material, result, unit and range, then signs for high and low, and the previous result. */
export const materialCodesForm: (content: ReportContent) => DrawnPage[] = createTableForm((content) => ({
  ...defaultTable,
  name: { title: "Examination", x: 0, width: 150 },
  columns: [
    { title: "Mat.", x: 158, text: materialCode },
    { title: "Result", x: 240, align: "right", isBoldIfAbnormal: true, text: ({ cells }) => cells.value ?? "" },
    { title: "+/-", x: 256, align: "center", isBoldIfAbnormal: true, text: ({ cells }) => cells.flag ?? "" },
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
    flow.writeAt(title, 0, { isBold: true });
    flow.rule(0, flow.width(title, { isBold: true }), 0.4);
    flow.moveDown(flow.line * 1.3);
  },
  legend: [
    "Mat.: S = serum, EB = EDTA blood, CP = citrate or fluoride plasma, U = urine",
    "+ above, - below the normal range; ++ and -- critical; ! abnormal",
  ],
}));

/** A cumulative sheet with the latest date last. */
export const latestLastForm: (content: ReportContent) => DrawnPage[] = createTableForm((content) => {
  const [second = "", first = ""] = earlierDays(content, 2);
  return {
    ...defaultTable,
    hasRules: true,
    name: { title: "Analysis", x: 2, width: 150 },
    columns: [
      { title: "Unit", x: 160, text: ({ cells }) => cells.units ?? "" },
      { title: "Ref. interval", x: 235, text: ({ cells }) => cells.range ?? "" },
      { title: first, x: 370, align: "right", text: ({ cells }) => earlier(cells.previous, 1) },
      { title: second, x: 440, align: "right", text: ({ cells }) => earlier(cells.previous, 0) },
      {
        title: detailText(content, "collected").split(" ")[0] ?? "",
        x: 510,
        align: "right",
        isBoldIfAbnormal: true,
        text: ({ cells }) => `${cells.flag ? `${cells.flag} ` : ""}${cells.value}`,
      },
    ],
    legend: ["* outside the reference interval"],
  };
});
