import type { ReportContent } from "../content/report-content.ts";
import type { DrawnPage } from "./drawn-page.ts";
import { type Font, textWidth } from "./fonts.ts";

/** Height of the page foot, points. */
export const FOOTER_HEIGHT_PT = 34;

const legends = {
  letters: "H = High   L = Low   HH/LL = Critical   A = Abnormal",
  words: "Flags: High, Low, Abnormal, Critical",
  capitals: "Flags: HIGH, LOW, ABNORMAL, CRITICAL",
  star: "* = outside the reference range",
  "normal-too": "Results are compared with the ranges of this laboratory",
};

/** Draws the foot of every page. */
export function drawFooter(page: DrawnPage, { layout, patient }: ReportContent, number: number, count: number): void {
  const { margin, size, footer } = layout;
  const font: Font = { family: layout.font, isBold: false };
  const small = Math.max(6.5, size - 1.5);
  const y = page.height - margin + 8;
  const right = (text: string) =>
    page.write(text, page.width - margin - textWidth(text, font, small), y, font, small, 60);
  if (footer !== "page") page.line(margin, y - small - 3, page.width - margin, y - small - 3, 0.5, 100);
  right(`Page ${number} of ${count}`);
  const said = {
    page: `${layout.lab}`,
    lab: `Performed at ${layout.lab}, ${patient.address[0]}. Director: R. Albright, MD`,
    legend: legends[layout.flagWords],
    line: `Printed ${patient.lines.find(({ detail }) => detail === "reported")?.text ?? ""}`,
  }[footer];
  page.write(said, margin, y, font, small, 60);
}

/** Draws stamps and watermarks. */
export function drawWatermark(page: DrawnPage, { layout }: ReportContent, number: number): void {
  const font: Font = { family: "sans", isBold: true };
  if (layout.mark === "watermark") page.write("COPY", page.width / 2 - 110, page.height / 2 + 90, font, 110, 236, 35);
  if (layout.mark === "stamp" && number === 1) {
    page.frame(page.width - layout.margin - 92, layout.margin - 18, 92, 22, 110);
    page.write("FINAL REPORT", page.width - layout.margin - 87, layout.margin - 3, font, 11, 110);
  }
}
