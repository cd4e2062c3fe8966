import type { Content } from "../../content.ts";
import type { DrawnPage } from "../../drawn-page.ts";
import { printedDate } from "../../patient.ts";
import { materialOf } from "./local-words.ts";
import { asTable, boldTitle, inTwoLines, plainTable, said } from "./table.ts";

function earlierDays({ patient, layout }: Content, count: number): string[] {
  const year = Number(patient.previously.slice(0, 4));
  return Array.from({ length: count }, (_, place) =>
    printedDate(`${year - place}${patient.previously.slice(4)}`, layout, false),
  );
}

const earlier = (texts: string | undefined, place: number) => (texts ?? "").split("\n")[place] ?? "";

/** Range and unit in one column, then today's values and those of two earlier dates, each below its date. */
export const latestRange: (content: Content) => DrawnPage[] = asTable((content) => {
  const days = earlierDays(content, 2);
  return {
    ...plainTable,
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

/** Material, result, unit and range, then signs for high and low, and the previous result. */
export const materialCodes: (content: Content) => DrawnPage[] = asTable((content) => ({
  ...plainTable,
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

/** A cumulative sheet with the latest date last. */
export const latestLast: (content: Content) => DrawnPage[] = asTable((content) => {
  const [second = "", first = ""] = earlierDays(content, 2);
  return {
    ...plainTable,
    hasRules: true,
    name: { title: "Analysis", x: 2, width: 150 },
    columns: [
      { title: "Unit", x: 160, text: ({ cells }) => cells.units ?? "" },
      { title: "Ref. interval", x: 235, text: ({ cells }) => cells.range ?? "" },
      { title: first, x: 370, align: "right", text: ({ cells }) => earlier(cells.previous, 1) },
      { title: second, x: 440, align: "right", text: ({ cells }) => earlier(cells.previous, 0) },
      {
        title: said(content, "collected").split(" ")[0] ?? "",
        x: 510,
        align: "right",
        isStrong: true,
        text: ({ cells }) => `${cells.flag ? `${cells.flag} ` : ""}${cells.value}`,
      },
    ],
    legend: ["* outside the reference interval"],
  };
});
