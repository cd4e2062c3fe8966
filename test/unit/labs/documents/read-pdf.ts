import { inflateSync } from "node:zlib";
import { getDocumentProxy } from "unpdf";
import { readCode128 } from "./code-128.ts";

/** A text fragment with its position in points from the lower left corner. */
export interface TextFragment {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

/** A text without whitespace and with one micro sign. Line breaks and the variant of the sign are not content. */
export const removeSpaces = (text: string): string => text.replaceAll(/\s+/g, "").replaceAll("μ", "µ");

/** The text fragments of each page. */
export async function readTextFragments(pdf: Buffer): Promise<TextFragment[][]> {
  const document = await getDocumentProxy(new Uint8Array(pdf));
  const pages: TextFragment[][] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent();
    pages.push(items.flatMap((item) => ("str" in item && item.str.trim() !== "" ? [pieceOf(item)] : [])));
  }
  return pages;
}

/** The text of each page, without whitespace. */
export async function readPageTexts(pdf: Buffer): Promise<string[]> {
  return (await readTextFragments(pdf)).map((page) => removeSpaces(page.map(({ text }) => text).join("")));
}

function pieceOf({ str, transform, width }: { str: string; transform: unknown[]; width: number }): TextFragment {
  const [, , , size = 0, left = 0, bottom = 0] = transform.map(Number);
  return { text: str, left, right: left + width, bottom, top: bottom + size * 0.7 };
}

/** Overlapping pairs of fragments, and fragments outside the paper. */
export function findLayoutFaults(page: readonly TextFragment[]): string[] {
  const outside = page.filter(({ left, right, bottom, top }) => left < 10 || right > 602 || bottom < 10 || top > 782);
  const overlapping = page.flatMap((one, index) =>
    page
      .slice(index + 1)
      .filter((other) => one.left < other.right - 0.5 && other.left < one.right - 0.5)
      .filter((other) => one.bottom < other.top && other.bottom < one.top)
      .map((other) => `${one.text} / ${other.text}`),
  );
  return [...outside.map(({ text }) => `outside: ${text}`), ...overlapping];
}

/** The decoded bar codes of a document, in drawing order. */
export function readBarCodes(pdf: Buffer): string[] {
  const drawn = contentOf(pdf).match(/(?:^[\d.]+ [\d.]+ [\d.]+ [\d.]+ re\n){4,}/gm) ?? [];
  return drawn.map((path) => {
    const bars = path
      .trim()
      .split("\n")
      .map((line) => line.split(" ").map(Number));
    return readCode128(widthsOf(bars.map(([left = 0, , width = 0]) => [left, width])));
  });
}

function widthsOf(bars: readonly (readonly [number, number])[]): number[] {
  const module = Math.min(...bars.map(([, width]) => width));
  return bars.flatMap(([left, width], index) => {
    const next = bars[index + 1]?.[0];
    const space = next === undefined ? [] : [next - left - width];
    return [width, ...space].map((length) => Math.round(length / module));
  });
}

function contentOf(pdf: Buffer): string {
  const parts: string[] = [];
  for (let from = pdf.indexOf("stream\n"); from !== -1; from = pdf.indexOf("stream\n", from + 1)) {
    if (pdf.toString("latin1", from - 3, from) === "end") continue;
    const end = pdf.indexOf("\nendstream", from);
    parts.push(inflateSync(pdf.subarray(from + 7, end)).toString("latin1"));
  }
  return parts.join("\n");
}
