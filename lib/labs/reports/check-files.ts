import { type FileKind, fileKind } from "./file-kind.ts";
import { jpegHeader, pngHeader } from "./image-header.ts";
import { UnreadableReport } from "./unreadable-report.ts";

/** The bytes that the files of one report may have together (spec, Lab reports). */
export const MAX_REPORT_BYTES = 10_000_000;
/** The images that one report may consist of. */
export const MAX_IMAGES = 8;
/** The pages that the PDF of a report may have. */
export const MAX_PAGES = 30;

/** A page of 8.5 x 14 inches at 600 dpi has 43 million pixels, a photograph rarely more than 24. */
export const MAX_PIXELS = 50_000_000;
const MAX_DECODED_BYTES = 4 * MAX_PIXELS;

/**
 * Refuses what can not be a report before anything is decoded, and tells what each file is by its content. What takes a
 * parser to see (a damaged file, a bomb inside a PDF, an unreadable page) is found when the pages are read.
 * @throws UnreadableReport
 */
export function checkFiles(files: readonly Uint8Array[]): FileKind[] {
  const size = files.reduce((sum, file) => sum + file.length, 0);
  if (files.length === 0) throw invalid("There is no file.");
  if (size > MAX_REPORT_BYTES) throw invalid(`The files have more than ${MAX_REPORT_BYTES} bytes.`);
  const kinds = files.map(checkFile);
  if (kinds.includes("pdf") && kinds.length > 1) throw invalid("A PDF is a report of its own: send one PDF or images.");
  if (kinds.length > MAX_IMAGES) throw invalid(`A report has at most ${MAX_IMAGES} images.`);
  return kinds;
}

function checkFile(file: Uint8Array): FileKind {
  if (file.length === 0) throw invalid("A file is empty.");
  const kind = fileKind(file);
  if (kind === undefined) throw invalid("A file is no PDF, JPEG or PNG.");
  if (kind === "pdf") checkPdf(file);
  else checkImage(file, kind);
  return kind;
}

function checkImage(file: Uint8Array, kind: "jpeg" | "png"): void {
  const header = kind === "png" ? pngHeader(file) : jpegHeader(file);
  if (header === undefined || header.width === 0 || header.height === 0) throw invalid("An image is damaged.");
  const pixels = header.width * header.height;
  if (pixels > MAX_PIXELS || pixels * header.bytesPerPixel > MAX_DECODED_BYTES)
    throw invalid(`An image has more than ${MAX_PIXELS / 1_000_000} million pixels.`);
}

/** Encryption stands in the trailer, which is never compressed. */
const ENCRYPTION = /\/Encrypt\s{0,9}(?:\d{1,10}\s{1,9}\d{1,5}\s{1,9}R|<<)/;
/** Where an object begins, and that it is a page; repetitions are bounded, so that no file makes them slow. */
const OBJECT_OR_PAGE = /(?<id>\d{1,10}\s{1,9}\d{1,5})\s{1,9}obj\b|\/Type\s{0,9}\/Page(?![a-zA-Z])/g;

/** Pages may be compressed and are counted again when they are read; a page that was changed stands there twice. */
function checkPdf(file: Uint8Array): void {
  const text = Buffer.from(file.buffer, file.byteOffset, file.byteLength).toString("latin1");
  if (ENCRYPTION.test(text)) throw invalid("The PDF is encrypted.");
  const pages = new Set<string>();
  let object = "";
  for (const { groups } of text.matchAll(OBJECT_OR_PAGE)) {
    if (groups?.id === undefined) pages.add(object);
    else object = groups.id;
  }
  if (pages.size > MAX_PAGES) throw tooManyPages();
}

/** What is said of a PDF with more pages than are read. */
export const tooManyPages = () => new UnreadableReport("too_many_pages", `A report has at most ${MAX_PAGES} pages.`);

/** What is said of files that are no report. */
export const invalid = (refusal: string) => new UnreadableReport("invalid_input", refusal);
