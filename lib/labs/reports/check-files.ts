import { detectFileKind, type FileKind } from "./file-kind.ts";
import { readJpegHeader, readPngHeader } from "./image/image-header.ts";
import { UnreadableReport } from "./unreadable-report.ts";

/** Maximum total size of the files of one report. */
export const MAX_REPORT_BYTES = 10_000_000;
/** Maximum number of images of one report. */
const MAX_IMAGES = 8;
/** Maximum number of pages of a PDF. */
export const MAX_PAGES = 30;

/** A page of 8.5 x 14 inches at 600 dpi has 43 million pixels; a photograph rarely has more than 24 million. */
export const MAX_PIXELS = 50_000_000;
const MAX_DECODED_BYTES = 4 * MAX_PIXELS;

/**
 * Detects the kind of each file and refuses invalid files before decoding. Defects that need a parser (damaged files,
 * decompression bombs in a PDF, unreadable pages) surface when the pages are read.
 * @throws UnreadableReport
 */
export function checkFiles(files: readonly Uint8Array[]): FileKind[] {
  const size = files.reduce((sum, file) => sum + file.length, 0);
  if (files.length === 0) throw invalidInput("The report has no file.");
  if (size > MAX_REPORT_BYTES) throw invalidInput(`The files have more than ${MAX_REPORT_BYTES} bytes.`);
  const kinds = files.map(checkFile);
  if (kinds.includes("pdf") && kinds.length > 1) throw invalidInput("Send either one PDF or images.");
  if (kinds.length > MAX_IMAGES) throw invalidInput(`A report has at most ${MAX_IMAGES} images.`);
  return kinds;
}

function checkFile(file: Uint8Array): FileKind {
  if (file.length === 0) throw invalidInput("A file is empty.");
  const kind = detectFileKind(file);
  if (kind === undefined) throw invalidInput("A file is not a PDF, JPEG or PNG.");
  if (kind === "pdf") checkPdf(file);
  else checkImage(file, kind);
  return kind;
}

function checkImage(file: Uint8Array, kind: "jpeg" | "png"): void {
  const header = kind === "png" ? readPngHeader(file) : readJpegHeader(file);
  if (header === undefined || header.width === 0 || header.height === 0) throw invalidInput("An image is damaged.");
  const pixels = header.width * header.height;
  if (pixels > MAX_PIXELS || pixels * header.bytesPerPixel > MAX_DECODED_BYTES)
    throw invalidInput(`An image has more than ${MAX_PIXELS / 1_000_000} million pixels.`);
}

/** The trailer, which is never compressed, states the encryption. */
const ENCRYPTION = /\/Encrypt\s{0,9}(?:\d{1,10}\s{1,9}\d{1,5}\s{1,9}R|<<)/;
/** Start of an object, or its type as a page. Bounded repetitions keep the matching fast on hostile files. */
const OBJECT_OR_PAGE = /(?<id>\d{1,10}\s{1,9}\d{1,5})\s{1,9}obj\b|\/Type\s{0,9}\/Page(?![a-zA-Z])/g;

/** Compressed pages are counted when they are read. An updated page occurs twice. */
function checkPdf(file: Uint8Array): void {
  const text = Buffer.from(file.buffer, file.byteOffset, file.byteLength).toString("latin1");
  if (ENCRYPTION.test(text)) throw invalidInput("The PDF is encrypted.");
  const pages = new Set<string>();
  let object = "";
  for (const { groups } of text.matchAll(OBJECT_OR_PAGE)) {
    if (groups?.id === undefined) pages.add(object);
    else object = groups.id;
  }
  if (pages.size > MAX_PAGES) throw tooManyPages();
}

/** The error for a PDF with too many pages. */
export const tooManyPages = () => new UnreadableReport("too_many_pages", `A report has at most ${MAX_PAGES} pages.`);

/** The error for files that are no report. */
export const invalidInput = (refusal: string) => new UnreadableReport("invalid_input", refusal);
