/** The kinds of files that a lab report may come in. */
export type FileKind = "pdf" | "jpeg" | "png";

/** A PDF may have something before its header, which readers look for in the first kilobyte. */
const PDF_HEADER_WITHIN = 1024;

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG_SIGNATURE = [0xff, 0xd8, 0xff];

/** What a file is by its first bytes, whatever its name says; undefined for what a report can not come in. */
export function fileKind(bytes: Uint8Array): FileKind | undefined {
  if (startsWith(bytes, PNG_SIGNATURE)) return "png";
  if (startsWith(bytes, JPEG_SIGNATURE)) return "jpeg";
  return Buffer.from(bytes.subarray(0, PDF_HEADER_WITHIN)).includes("%PDF-") ? "pdf" : undefined;
}

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, at) => bytes[at] === byte);
}
