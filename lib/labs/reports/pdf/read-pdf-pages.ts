import { getDocumentProxy, getResolvedPDFJS } from "unpdf";
import type { ReportPage } from "../../../domain/lab-reports/page/report-page.ts";
import { invalidInput, MAX_PAGES, MAX_PIXELS, tooManyPages } from "../check-files.ts";
import { checkWordLimits } from "../check-limits.ts";
import type { PageImage } from "../image/grey-image.ts";
import { type Matrix, toMatrix } from "./matrix.ts";
import { composePage, coverageOf, findPlacedImages, type OperatorList } from "./page-images.ts";
import { buildTextLayer, type TextItem, type TextLayer } from "./text-layer.ts";

/** A page of a PDF: its text layer, else its image. */
export type PdfPage = { readonly text: ReportPage } | { readonly image: PageImage };

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Document["getPage"]>>;

/** A page of images with fewer words is a scan with a stamp or a footer. */
const MIN_TEXT_WORDS = 20;
/** Minimum coverage of a page by images that make it a scan rather than a page with a logo. */
const MIN_IMAGE_COVERAGE = 0.3;
/** Text rendering mode of invisible text, which OCR software puts under a scan. */
const INVISIBLE = 3;
/** Text of a font with a Unicode mapping has no private use or control characters. */
const UNREADABLE = /[\p{Co}\p{Cc}\uFFFD]/u;

const SILENT_VERBOSITY = 0;

/**
 * Reads the pages of a PDF. Scripts do not run, and attachments are not read.
 * @throws UnreadableReport for a damaged or encrypted file, or one without pages or with too many.
 */
export async function* readPdfPages(file: Uint8Array): AsyncGenerator<PdfPage> {
  const pdf = await openDocument(file);
  try {
    if (pdf.numPages > MAX_PAGES) throw tooManyPages();
    if (pdf.numPages < 1) throw invalidInput("The PDF has no pages.");
    for (let number = 1; number <= pdf.numPages; number++) yield await readPage(pdf, number);
  } finally {
    await pdf.loadingTask.destroy();
  }
}

async function openDocument(file: Uint8Array): Promise<Document> {
  try {
    // The parser takes ownership of the bytes, so it gets a copy.
    return await getDocumentProxy(file.slice(), {
      verbosity: SILENT_VERBOSITY,
      maxImageSize: MAX_PIXELS,
      useSystemFonts: false,
      disableFontFace: true,
    });
  } catch (error) {
    const isLocked = error instanceof Error && error.name === "PasswordException";
    throw invalidInput(isLocked ? "The PDF is encrypted." : "The PDF is damaged.");
  }
}

async function readPage(pdf: Document, number: number): Promise<PdfPage> {
  const page = await pdf.getPage(number).catch(() => {
    throw invalidInput("The PDF is damaged.");
  });
  const { width, height, transform } = page.getViewport({ scale: 1 });
  const view = toMatrix(transform) ?? [1, 0, 0, -1, 0, height];
  const { items } = await page.getTextContent();
  const pieces = items.filter((item): item is typeof item & TextItem => "str" in item);
  const layer = buildTextLayer(pieces, view, width, height);
  const drawing: OperatorList = await page.getOperatorList();
  const image = await pageImageOf(page, drawing, view, width, height);
  const isText =
    image === undefined || (layer.words.length > MIN_TEXT_WORDS && isMostlyVisible(drawing, await operators()));
  page.cleanup();
  return isText ? { text: textPage(layer) } : { image };
}

const operators = async () => (await getResolvedPDFJS()).OPS;

function textPage({ width, height, words }: TextLayer): ReportPage {
  checkWordLimits(words);
  const readable = words.filter(({ text }) => !UNREADABLE.test(text));
  return { width, height, origin: "text", dpi: null, words: readable };
}

/** The image of a scanned page; undefined if images are only decoration. */
async function pageImageOf(page: Page, drawing: OperatorList, view: Matrix, width: number, height: number) {
  const named = (name: string) =>
    new Promise<unknown>((found) => (name.startsWith("g_") ? page.commonObjs : page.objs).get(name, found));
  const images = await findPlacedImages(drawing, await operators(), view, named);
  return coverageOf(images, width, height) < MIN_IMAGE_COVERAGE ? undefined : composePage(images, width, height);
}

/** Reports whether most text is visible. */
function isMostlyVisible(
  { fnArray, argsArray }: OperatorList,
  { setTextRenderingMode, showText }: Record<string, number>,
): boolean {
  let isHidden = false;
  const counts = { seen: 0, hidden: 0 };
  for (const [at, operator] of fnArray.entries()) {
    if (operator === setTextRenderingMode) isHidden = argsArray[at]?.[0] === INVISIBLE;
    if (operator === showText) counts[isHidden ? "hidden" : "seen"]++;
  }
  return counts.seen >= counts.hidden;
}
