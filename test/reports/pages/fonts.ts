import { createRequire } from "node:module";
import { createCanvas, GlobalFonts } from "@napi-rs/canvas";
import type { Family } from "../layouts/layout.ts";

/** A font face: its file, and the name of the similar standard font of PDF readers. */
interface Face {
  readonly path: string;
  readonly standard: string | null;
}

const { resolve } = createRequire(import.meta.url);
const google = (family: string, style: string) => {
  const weight = style === "Bold" ? "700Bold" : "400Regular";
  return resolve(`@expo-google-fonts/${family.toLowerCase()}/${weight}/${family}_${weight}.ttf`);
};
const dejavu = (file: string) => resolve(`dejavu-fonts-ttf/ttf/${file}.ttf`);

const faces: Record<Family, readonly [regular: Face, bold: Face]> = {
  sans: [
    { path: google("Arimo", ""), standard: "Helvetica" },
    { path: google("Arimo", "Bold"), standard: "Helvetica-Bold" },
  ],
  serif: [
    { path: google("Tinos", ""), standard: "Times-Roman" },
    { path: google("Tinos", "Bold"), standard: "Times-Bold" },
  ],
  mono: [
    { path: google("Cousine", ""), standard: "Courier" },
    { path: google("Cousine", "Bold"), standard: "Courier-Bold" },
  ],
  dejavu: [
    { path: dejavu("DejaVuSans"), standard: null },
    { path: dejavu("DejaVuSans-Bold"), standard: null },
  ],
  "dejavu-condensed": [
    { path: dejavu("DejaVuSansCondensed"), standard: null },
    { path: dejavu("DejaVuSansCondensed-Bold"), standard: null },
  ],
  "dejavu-serif": [
    { path: dejavu("DejaVuSerifCondensed"), standard: null },
    { path: dejavu("DejaVuSerifCondensed-Bold"), standard: null },
  ],
  "dejavu-mono": [
    { path: dejavu("DejaVuSansMono"), standard: null },
    { path: dejavu("DejaVuSansMono-Bold"), standard: null },
  ],
};

/** A font: its family and weight. */
export interface Font {
  readonly family: Family;
  readonly isBold: boolean;
}

export const fontFace = ({ family, isBold }: Font): Face => faces[family][isBold ? 1 : 0];

/** The name of a font on a canvas. Every weight is a separate family, so that the canvas synthesizes none. */
export const canvasFontName = ({ family, isBold }: Font): string => `report-${family}${isBold ? "-bold" : ""}`;

for (const family of Object.keys(faces) as Family[])
  for (const isBold of [false, true])
    GlobalFonts.registerFromPath(fontFace({ family, isBold }).path, canvasFontName({ family, isBold }));

const MEASURED_SIZE = 100;
const ruler = createCanvas(1, 1).getContext("2d");
const widths = new Map<string, number>();

/** Width of a text, points. */
export function textWidth(text: string, font: Font, size: number): number {
  const key = `${canvasFontName(font)}/${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known * size;
  ruler.font = `${MEASURED_SIZE}px "${canvasFontName(font)}"`;
  const width = ruler.measureText(text).width / MEASURED_SIZE;
  widths.set(key, width);
  return width * size;
}

/** Wraps a text at its spaces. A line exceeds the width only if it is one word. */
export function breakIntoLines(text: string, font: Font, size: number, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && textWidth(`${last} ${word}`, font, size) <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
