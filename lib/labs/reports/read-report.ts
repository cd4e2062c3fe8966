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

/** A page that is not upright is read with less than this mean confidence. */
const SURE = 65;
/** A word is legible that has two letters or figures and this confidence; a report has at least so many. */
const LEGIBLE = 60;
const LEAST_LEGIBLE = 8;

/** A word that is read with less than this confidence is read again. */
const SECURE = 90;

const POINTS = 72;
/** How EXIF numbers images that stand on their heads, and that lie on one side or the other. */
const UPSIDE_DOWN = [3];
const SIDEWAYS = [6, 8];

/**
 * The pages of a report: words of the text layer where there is one, else what is recognised in the image of the page.
 * @param files one PDF or images, checked already.
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
  if (legibleIn(pages) < LEAST_LEGIBLE) throw new UnreadableReport("low_quality", "No text can be read in the report.");
  return pages;
}

async function* pagesOf(files: readonly Uint8Array[]) {
  for (const file of files) {
    const kind = fileKind(file);
    if (kind === "pdf") yield* pdfPages(file);
    else if (kind) yield { image: decodeImage(file, kind) };
  }
}

/** The words in an image, which is tried turned as well where it is read with doubt. */
async function recognised(image: PageImage, recogniser: PageRecogniser): Promise<ReportPage> {
  let best = await recognisedAs(image, recogniser);
  if (sureness(best) >= SURE || best.words.length === 0) return best;
  for (const orientation of isSideways(image) ? SIDEWAYS : UPSIDE_DOWN) {
    const other = await recognisedAs({ ...turned(image, orientation), dpi: image.dpi }, recogniser);
    if (sureness(other) > sureness(best)) best = other;
  }
  return best;
}

/** The words of a page that is taken for upright. */
async function recognisedAs(image: PageImage, recogniser: PageRecogniser): Promise<ReportPage> {
  const prepared = preparedPage(image);
  const words = isNoise(prepared) ? [] : await wordsOf(prepared, recogniser);
  const [width, height] = [prepared.width, prepared.height].map((pixels) => (pixels * POINTS) / prepared.dpi);
  return { width: width!, height: height!, origin: "image", dpi: Math.round(image.dpi), words };
}

/** Reads tables beside each other one after the other: their lines stand at other heights, and would be taken for one another's. */
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

/** Reads an image, and a second time what matters of it: that alone costs a third of the first. */
async function wordsIn(prepared: PageImage, recogniser: PageRecogniser): Promise<ReportWord[]> {
  const first = await recogniser.recognise(prepared);
  if (!recogniser.isReadAgain) return withDecimalPoints(first, prepared);
  const { sheet, onPage } = clippingsOf(withLargerDots(prepared), first, isCrucial);
  const second = onPage(await recogniser.recognise(sheet));
  return withDecimalPoints(agreedWords(first, second, isCrucial), prepared);
}

/** Whether an error in a word would go unseen, or there probably is one: the catalogue has words of names, and no values. */
const isCrucial = ({ text, confidence }: ReportWord) =>
  confidence < SECURE || text.length <= 3 || /[\d%/<>*]/.test(text);

/** The mean confidence of a page's characters. */
function sureness({ words }: ReportPage): number {
  const characters = words.reduce((sum, { text }) => sum + text.length, 0);
  return words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) / Math.max(characters, 1);
}

function legibleIn(pages: readonly ReportPage[]): number {
  const words = pages.flatMap((page) => page.words);
  return words.filter(({ text, confidence }) => confidence >= LEGIBLE && /[a-z0-9].*[a-z0-9]/i.test(text)).length;
}
