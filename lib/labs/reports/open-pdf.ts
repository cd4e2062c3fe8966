import { getDocumentProxy, getResolvedPDFJS } from "unpdf";
import type { ReportPage } from "../../domain/lab-reports/report-page.ts";
import { invalid, MAX_PAGES, MAX_PIXELS, tooManyPages } from "./check-files.ts";
import { checkWords } from "./check-size.ts";
import type { PageImage } from "./grey-image.ts";
import { type Matrix, matrixOf } from "./matrix.ts";
import { coverOf, type Drawing, pageOf, placedImages } from "./page-images.ts";
import { type TextLayer, type TextPiece, textLayer } from "./text-layer.ts";

/** A page of a PDF: its text layer, else its image. */
export type PdfPage = { readonly text: ReportPage } | { readonly image: PageImage };

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Document["getPage"]>>;

/** A page of images with fewer words is a scan with a stamp or a footer. */
const LEAST_WORDS = 20;
/** Minimum coverage of a page by images that make it a scan rather than a page with a logo. */
const LEAST_COVER = 0.3;
/** Text rendering mode of invisible text, which OCR software puts under a scan. */
const INVISIBLE = 3;
/** Text of a font with a Unicode mapping has no private use or control characters. */
const UNREADABLE = /[\p{Co}\p{Cc}\uFFFD]/u;

const SILENT = 0;

/**
 * Reads the pages of a PDF. Scripts do not run, and attachments are not read.
 * @throws UnreadableReport for a damaged or encrypted file, or one without pages or with too many.
 */
export async function* pdfPages(file: Uint8Array): AsyncGenerator<PdfPage> {
  const pdf = await opened(file);
  try {
    if (pdf.numPages > MAX_PAGES) throw tooManyPages();
    if (pdf.numPages < 1) throw invalid("The PDF has no pages.");
    for (let number = 1; number <= pdf.numPages; number++) yield await pageIn(pdf, number);
  } finally {
    await pdf.loadingTask.destroy();
  }
}

async function opened(file: Uint8Array): Promise<Document> {
  try {
    // The parser takes ownership of the bytes, so it gets a copy.
    return await getDocumentProxy(file.slice(), {
      verbosity: SILENT,
      maxImageSize: MAX_PIXELS,
      useSystemFonts: false,
      disableFontFace: true,
    });
  } catch (error) {
    const isLocked = error instanceof Error && error.name === "PasswordException";
    throw invalid(isLocked ? "The PDF is encrypted." : "The PDF is damaged.");
  }
}

async function pageIn(pdf: Document, number: number): Promise<PdfPage> {
  const page = await pdf.getPage(number).catch(() => {
    throw invalid("The PDF is damaged.");
  });
  const { width, height, transform } = page.getViewport({ scale: 1 });
  const view = matrixOf(transform) ?? [1, 0, 0, -1, 0, height];
  const { items } = await page.getTextContent();
  const pieces = items.filter((item): item is typeof item & TextPiece => "str" in item);
  const layer = textLayer(pieces, view, width, height);
  const drawing: Drawing = await page.getOperatorList();
  const image = await imageOf(page, drawing, view, width, height);
  const isText = image === undefined || (layer.words.length > LEAST_WORDS && isSeen(drawing, await operators()));
  page.cleanup();
  return isText ? { text: textPage(layer) } : { image };
}

const operators = async () => (await getResolvedPDFJS()).OPS;

function textPage({ width, height, words }: TextLayer): ReportPage {
  checkWords(words);
  const readable = words.filter(({ text }) => !UNREADABLE.test(text));
  return { width, height, origin: "text", dpi: null, words: readable };
}

/** The image of a scanned page; undefined if images are only decoration. */
async function imageOf(page: Page, drawing: Drawing, view: Matrix, width: number, height: number) {
  const named = (name: string) =>
    new Promise<unknown>((found) => (name.startsWith("g_") ? page.commonObjs : page.objs).get(name, found));
  const images = await placedImages(drawing, await operators(), view, named);
  return coverOf(images, width, height) < LEAST_COVER ? undefined : pageOf(images, width, height);
}

/** Reports whether most text is visible. */
function isSeen({ fnArray, argsArray }: Drawing, { setTextRenderingMode, showText }: Record<string, number>): boolean {
  let isHidden = false;
  const counts = { seen: 0, hidden: 0 };
  for (const [at, operator] of fnArray.entries()) {
    if (operator === setTextRenderingMode) isHidden = argsArray[at]?.[0] === INVISIBLE;
    if (operator === showText) counts[isHidden ? "hidden" : "seen"]++;
  }
  return counts.seen >= counts.hidden;
}
