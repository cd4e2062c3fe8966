/** File kinds of a lab report. */
export type FileKind = "pdf" | "jpeg" | "png";

/** The header of a PDF may start anywhere in the first kilobyte. */
const PDF_HEADER_WITHIN = 1024;

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG_SIGNATURE = [0xff, 0xd8, 0xff];

/** Detects the kind of a file by its signature, regardless of its name; undefined for unsupported files. */
export function detectFileKind(bytes: Uint8Array): FileKind | undefined {
  if (startsWith(bytes, PNG_SIGNATURE)) return "png";
  if (startsWith(bytes, JPEG_SIGNATURE)) return "jpeg";
  return Buffer.from(bytes.subarray(0, PDF_HEADER_WITHIN)).includes("%PDF-") ? "pdf" : undefined;
}

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, at) => bytes[at] === byte);
}
