import type { ReportPage, ReportWord } from "../../../domain/lab-reports/page/report-page.ts";
import { detectFileKind } from "../file-kind.ts";
import { decodeImage } from "../image/decode-image.ts";
import { dilateDots } from "../image/dilate-dots.ts";
import { applyOrientation, type PageImage } from "../image/grey-image.ts";
import { isSideways } from "../image/measure-skew.ts";
import { isNoise, preprocessPage } from "../image/preprocess-page.ts";
import { readPdfPages } from "../pdf/read-pdf-pages.ts";
import { cropWords } from "../recognition/crop-words.ts";
import { mergeReadings } from "../recognition/merge-readings.ts";
import type { PageRecogniser } from "../recognition/page-recogniser.ts";
import { restoreDecimalPoints } from "../recognition/restore-decimal-points.ts";
import { cropImage, splitSideBySide } from "../recognition/split-side-by-side.ts";
import { UnreadableReport } from "../unreadable-report.ts";

/** Minimum mean confidence of an upright page. */
const MIN_UPRIGHT_CONFIDENCE = 65;
/** Minimum confidence of a legible word of two letters or digits, and minimum number of legible words of a report. */
const MIN_LEGIBLE_CONFIDENCE = 60;
const MIN_LEGIBLE_WORDS = 8;

/** A word below this confidence gets a second reading. */
const REREAD_BELOW_CONFIDENCE = 90;

const POINTS_PER_INCH = 72;
/** EXIF orientations of images that are upside down or sideways. */
const UPSIDE_DOWN = [3];
const SIDEWAYS = [6, 8];

/**
 * Reads the pages of a report: the text layer if the page has one, else OCR of the page image.
 * @param files one PDF or images, already checked.
 * @param onPage called after each page.
 * @throws UnreadableReport
 */
export async function readReportPages(
  files: readonly Uint8Array[],
  recogniser: () => Promise<PageRecogniser>,
  onPage: () => void,
): Promise<ReportPage[]> {
  const pages: ReportPage[] = [];
  for await (const page of pagesOf(files)) {
    pages.push("text" in page ? page.text : await recognisePage(page.image, await recogniser()));
    onPage();
  }
  if (countLegibleWords(pages) < MIN_LEGIBLE_WORDS)
    throw new UnreadableReport("low_quality", "The report has no readable text.");
  return pages;
}

async function* pagesOf(files: readonly Uint8Array[]) {
  for (const file of files) {
    const kind = detectFileKind(file);
    if (kind === "pdf") yield* readPdfPages(file);
    else if (kind) yield { image: decodeImage(file, kind) };
  }
}

/** Recognises an image, also rotated if the confidence is low. */
async function recognisePage(image: PageImage, recogniser: PageRecogniser): Promise<ReportPage> {
  let best = await recogniseUpright(image, recogniser);
  if (meanConfidence(best) >= MIN_UPRIGHT_CONFIDENCE || best.words.length === 0) return best;
  for (const orientation of isSideways(image) ? SIDEWAYS : UPSIDE_DOWN) {
    const other = await recogniseUpright({ ...applyOrientation(image, orientation), dpi: image.dpi }, recogniser);
    if (meanConfidence(other) > meanConfidence(best)) best = other;
  }
  return best;
}

/** Recognises an image as an upright page. */
async function recogniseUpright(image: PageImage, recogniser: PageRecogniser): Promise<ReportPage> {
  const prepared = preprocessPage(image);
  const words = isNoise(prepared) ? [] : await recogniseWords(prepared, recogniser);
  const [width, height] = [prepared.width, prepared.height].map((pixels) => (pixels * POINTS_PER_INCH) / prepared.dpi);
  return { width: width!, height: height!, origin: "image", dpi: Math.round(image.dpi), words };
}

/** Recognises side-by-side tables one after the other. Otherwise lines at slightly different heights would merge. */
async function recogniseWords(prepared: PageImage, recogniser: PageRecogniser): Promise<ReportWord[]> {
  const parts = recogniser.needsSecondReading ? splitSideBySide(prepared) : [];
  if (parts.length < 2) return recogniseTwice(prepared, recogniser);
  const words: ReportWord[] = [];
  for (const part of parts) {
    const own = await recogniseTwice(cropImage(prepared, part), recogniser);
    const [left, top] = [(part.left * POINTS_PER_INCH) / prepared.dpi, (part.top * POINTS_PER_INCH) / prepared.dpi];
    words.push(...own.map((word) => ({ ...word, left: word.left + left, top: word.top + top })));
  }
  return words;
}

/** Recognises an image, and critical words a second time. The second reading costs a third of the first. */
async function recogniseTwice(prepared: PageImage, recogniser: PageRecogniser): Promise<ReportWord[]> {
  const first = await recogniser.recognise(prepared);
  if (!recogniser.needsSecondReading) return restoreDecimalPoints(first, prepared);
  const { sheet, mapToPage } = cropWords(dilateDots(prepared), first, isCrucial);
  const second = mapToPage(await recogniser.recognise(sheet));
  return restoreDecimalPoints(mergeReadings(first, second, isCrucial), prepared);
}

/**
 * Reports whether an error in a word is likely or would go unnoticed. The catalogue can verify words of names, but no
 * values.
 */
const isCrucial = ({ text, confidence }: ReportWord) =>
  confidence < REREAD_BELOW_CONFIDENCE || text.length <= 3 || /[\d%/<>*]/.test(text);

/** Mean confidence of a page, weighted by characters. */
function meanConfidence({ words }: ReportPage): number {
  const characters = words.reduce((sum, { text }) => sum + text.length, 0);
  return words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) / Math.max(characters, 1);
}

function countLegibleWords(pages: readonly ReportPage[]): number {
  const words = pages.flatMap((page) => page.words);
  return words.filter(
    ({ text, confidence }) => confidence >= MIN_LEGIBLE_CONFIDENCE && /[a-z0-9].*[a-z0-9]/i.test(text),
  ).length;
}
