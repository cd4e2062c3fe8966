import type { ReportContent } from "../content/report-content.ts";
import { SeededRandom } from "../content/seeded-random.ts";
import type { Layout } from "../layouts/layout.ts";
import type { DrawnPage } from "./drawn-page.ts";
import { type Font, textWidth } from "./fonts.ts";

const LOGO = 26;
const LAB_SIZE = 14;

const fonts = ({ font }: Layout): readonly [regular: Font, bold: Font] => [
  { family: font, isBold: false },
  { family: font, isBold: true },
];

function drawLogo(page: DrawnPage, { top }: Layout, x: number, y: number): void {
  const middle = LOGO / 2;
  if (top.logo === "disc") page.disc(x + middle, y + middle, middle, 90);
  if (top.logo === "square") page.fill(x, y, LOGO, LOGO, 60);
  if (top.logo === "drop") {
    page.disc(x + middle, y + middle + 4, middle - 4, 110);
    page.disc(x + middle, y + middle - 5, 5, 110);
  }
  if (top.logo === "cross") {
    page.fill(x + 9, y, 8, LOGO, 80);
    page.fill(x, y + 9, LOGO, 8, 80);
  }
  if (top.logo === "bars")
    for (const bar of [0, 1, 2, 3]) page.fill(x + bar * 7, y + 18 - bar * 6, 5, 8 + bar * 6, 70 + bar * 25);
}

function drawBarcode(page: DrawnPage, seed: string, x: number, y: number): void {
  const random = new SeededRandom("barcode", seed);
  let place = x;
  while (place < x + 110) {
    const width = random.pick([0.8, 0.8, 1.6, 2.4]);
    page.fill(place, y, width, 22, 15);
    place += width + random.pick([0.8, 1.6]);
  }
}

/** Draws the laboratory's name, address and logo. @returns the position below. */
export function drawLetterhead(page: DrawnPage, { layout, patient }: ReportContent): number {
  const { margin, top, size } = layout;
  const [regular, bold] = fonts(layout);
  const small = size - 1;
  const inner = page.width - 2 * margin;
  const room = top.logo === "none" ? 0 : LOGO + 8;
  const placed = (text: string, font: Font, points: number) => {
    const free = inner - textWidth(text, font, points);
    if (top.place === "center") return margin + free / 2;
    return top.place === "right" ? margin + free : margin + room;
  };
  const labLeft = placed(layout.lab, bold, LAB_SIZE);
  if (room > 0) drawLogo(page, layout, margin, margin - 4);
  page.write(layout.lab, labLeft, margin + 10, bold, LAB_SIZE);
  if (top.place === "split") {
    for (const [place, line] of patient.address.entries()) {
      const left = page.width - margin - textWidth(line, regular, small);
      page.write(line, left, margin + 6 + place * small * 1.3, regular, small);
    }
  } else {
    const line = patient.address.join(top.place === "center" ? "   " : ", ");
    page.write(line, placed(line, regular, small), margin + 12 + small * 1.4, regular, small, 60);
  }
  const below = margin + 12 + small * (top.place === "split" ? 3.6 : 2.6);
  if (layout.mark === "barcode")
    drawBarcode(page, layout.name, page.width - margin - 114, top.place === "right" ? margin - 24 : margin - 8);
  if (top.heading === "") return below + 6;
  const headingSize = size + 2;
  const left = top.place === "center" ? margin + (inner - textWidth(top.heading, bold, headingSize)) / 2 : margin;
  page.write(top.heading, left, below + headingSize + 2, bold, headingSize);
  return below + headingSize + 12;
}

/** The largest size, up to the given one, at which a text fits. */
function fittingSize(text: string, font: Font, size: number, width: number): number {
  const wide = textWidth(text, font, size);
  return wide <= width ? size : Math.max(5.5, (size * width) / wide);
}

function drawDetail(
  page: DrawnPage,
  layout: Layout,
  detail: { label: string; text: string },
  at: { x: number; y: number; width: number; labels: number },
): void {
  const [regular, bold] = fonts(layout);
  const { size } = layout;
  const label = layout.patient.labels === "stacked" ? detail.label : `${detail.label}:`;
  if (layout.patient.labels === "stacked") {
    page.write(label, at.x, at.y, regular, fittingSize(label, regular, size - 1.5, at.width - 6), 80);
    page.write(detail.text, at.x, at.y + size * 1.15, bold, fittingSize(detail.text, bold, size, at.width - 6));
    return;
  }
  const offset = layout.patient.labels === "aligned" ? at.labels + 8 : textWidth(`${label} `, bold, size) + 1;
  page.write(label, at.x, at.y, layout.patient.labels === "aligned" ? regular : bold, size);
  page.write(detail.text, at.x + offset, at.y, regular, fittingSize(detail.text, regular, size, at.width - offset - 5));
}

/** Draws the patient's and the specimen's data. @returns the position below. */
export function drawPatientBlock(page: DrawnPage, { layout, patient }: ReportContent, top: number): number {
  const { margin, size, patient: block } = layout;
  const [regular] = fonts(layout);
  const inner = page.width - 2 * margin;
  const width = inner / block.grid;
  const rows = Math.ceil(patient.lines.length / block.grid);
  const height = block.labels === "stacked" ? size * 2.75 : size * 1.5;
  const box = { y: top, height: rows * height + 5 };
  if (block.frame === "shade") page.fill(margin, box.y, inner, box.height, 232);
  if (block.frame === "box" || block.frame === "grid") page.frame(margin, box.y, inner, box.height);
  if (block.frame === "lines")
    for (const y of [box.y, box.y + box.height]) page.line(margin, y, page.width - margin, y);
  const labels = Math.max(...patient.lines.map(({ label }) => textWidth(`${label}:`, regular, size)));
  const isDown = block.grid === 2;
  patient.lines.forEach((line, place) => {
    const column = isDown ? Math.floor(place / rows) : place % block.grid;
    const row = isDown ? place % rows : Math.floor(place / block.grid);
    const y = box.y + row * height + (block.labels === "stacked" ? size * 1.05 : size * 1.25);
    drawDetail(page, layout, line, { x: margin + 4 + column * width, y, width, labels });
    if (block.frame === "grid" && column === 0 && row > 0)
      page.line(margin, box.y + row * height + 2, page.width - margin, box.y + row * height + 2, 0.4);
    if (block.frame === "grid" && row === 0 && column > 0)
      page.line(margin + column * width, box.y, margin + column * width, box.y + box.height, 0.4);
  });
  return box.y + box.height + size;
}

/** Draws the head of later pages: the patient, in one line. @returns the position below. */
export function drawBriefHeader(page: DrawnPage, { layout, patient }: ReportContent): number {
  const [regular, bold] = fonts(layout);
  const { margin, size } = layout;
  const said = patient.lines.filter(({ detail }) => ["name", "dob", "specimen"].includes(detail));
  page.write(layout.lab, margin, margin + 4, bold, size + 1);
  const text = said.map(({ label, text: value }) => `${label}: ${value}`).join("    ");
  page.write(text, margin, margin + 6 + size * 1.4, regular, size);
  page.line(margin, margin + 12 + size * 1.4, page.width - margin, margin + 12 + size * 1.4);
  return margin + 22 + size * 1.6;
}
