import type { ReportPage, ReportWord } from "../../domain/lab-reports/report-page.ts";
import { agreedWords } from "./agreed-words.ts";
import { clippingsOf } from "./clippings.ts";
import { withDecimalPoints } from "./decimal-points.ts";
import { decodeImage } from "./decode-image.ts";
import { isSideways } from "./deskew.ts";
import { withLargerDots } from "./emphasise-dots.ts";
import { fileKind } from "./file-kind.ts";
import { type PageImage, turned } from "./grey-image.ts";
import { pdfPages } from "./open-pdf.ts";
import type { PageRecogniser } from "./page-recogniser.ts";
import { isNoise, preparedPage } from "./prepare-page.ts";
import { cut, partsOf } from "./side-by-side.ts";
import { UnreadableReport } from "./unreadable-report.ts";

/** Minimum mean confidence of an upright page. */
const SURE = 65;
/** Minimum confidence of a legible word of two letters or digits, and minimum number of legible words of a report. */
const LEGIBLE = 60;
const LEAST_LEGIBLE = 8;

/** A word below this confidence gets a second reading. */
const SECURE = 90;

const POINTS = 72;
/** EXIF orientations of images that are upside down or sideways. */
const UPSIDE_DOWN = [3];
const SIDEWAYS = [6, 8];

/**
 * Reads the pages of a report: the text layer if the page has one, else OCR of the page image.
 * @param files one PDF or images, already checked.
 * @param onPage called after each page.
 * @throws UnreadableReport
 */
export async function readReport(
  files: readonly Uint8Array[],
  recogniser: () => Promise<PageRecogniser>,
  onPage: () => void,
): Promise<ReportPage[]> {
  const pages: ReportPage[] = [];
  for await (const page of pagesOf(files)) {
    pages.push("text" in page ? page.text : await recognised(page.image, await recogniser()));
    onPage();
  }
  if (legibleIn(pages) < LEAST_LEGIBLE) throw new UnreadableReport("low_quality", "The report has no readable text.");
  return pages;
}

async function* pagesOf(files: readonly Uint8Array[]) {
  for (const file of files) {
    const kind = fileKind(file);
    if (kind === "pdf") yield* pdfPages(file);
    else if (kind) yield { image: decodeImage(file, kind) };
  }
}

/** Recognises an image, also rotated if the confidence is low. */
async function recognised(image: PageImage, recogniser: PageRecogniser): Promise<ReportPage> {
  let best = await recognisedAs(image, recogniser);
  if (sureness(best) >= SURE || best.words.length === 0) return best;
  for (const orientation of isSideways(image) ? SIDEWAYS : UPSIDE_DOWN) {
    const other = await recognisedAs({ ...turned(image, orientation), dpi: image.dpi }, recogniser);
    if (sureness(other) > sureness(best)) best = other;
  }
  return best;
}

/** Recognises an image as an upright page. */
async function recognisedAs(image: PageImage, recogniser: PageRecogniser): Promise<ReportPage> {
  const prepared = preparedPage(image);
  const words = isNoise(prepared) ? [] : await wordsOf(prepared, recogniser);
  const [width, height] = [prepared.width, prepared.height].map((pixels) => (pixels * POINTS) / prepared.dpi);
  return { width: width!, height: height!, origin: "image", dpi: Math.round(image.dpi), words };
}

/** Recognises side-by-side tables one after the other. Otherwise lines at slightly different heights would merge. */
async function wordsOf(prepared: PageImage, recogniser: PageRecogniser): Promise<ReportWord[]> {
  const parts = recogniser.isReadAgain ? partsOf(prepared) : [];
  if (parts.length < 2) return wordsIn(prepared, recogniser);
  const words: ReportWord[] = [];
  for (const part of parts) {
    const own = await wordsIn(cut(prepared, part), recogniser);
    const [left, top] = [(part.left * POINTS) / prepared.dpi, (part.top * POINTS) / prepared.dpi];
    words.push(...own.map((word) => ({ ...word, left: word.left + left, top: word.top + top })));
  }
  return words;
}

/** Recognises an image, and critical words a second time. The second reading costs a third of the first. */
async function wordsIn(prepared: PageImage, recogniser: PageRecogniser): Promise<ReportWord[]> {
  const first = await recogniser.recognise(prepared);
  if (!recogniser.isReadAgain) return withDecimalPoints(first, prepared);
  const { sheet, onPage } = clippingsOf(withLargerDots(prepared), first, isCrucial);
  const second = onPage(await recogniser.recognise(sheet));
  return withDecimalPoints(agreedWords(first, second, isCrucial), prepared);
}

/**
 * Reports whether an error in a word is likely or would go unnoticed. The catalogue can verify words of names, but no
 * values.
 */
const isCrucial = ({ text, confidence }: ReportWord) =>
  confidence < SECURE || text.length <= 3 || /[\d%/<>*]/.test(text);

/** Mean confidence of a page, weighted by characters. */
function sureness({ words }: ReportPage): number {
  const characters = words.reduce((sum, { text }) => sum + text.length, 0);
  return words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) / Math.max(characters, 1);
}

function legibleIn(pages: readonly ReportPage[]): number {
  const words = pages.flatMap((page) => page.words);
  return words.filter(({ text, confidence }) => confidence >= LEGIBLE && /[a-z0-9].*[a-z0-9]/i.test(text)).length;
}
