import { constants, crc32, deflateRawSync } from "node:zlib";

const CHUNK = 64 * 1024 * 1024;

/** A zlib stream of a few megabytes that inflates to `gigabytes` of zeros. */
export function zlibBomb(gigabytes: number): Buffer {
  // A full flush makes each piece deflate to the same bytes, so one piece can be repeated.
  const piece = deflateRawSync(Buffer.alloc(CHUNK), { finishFlush: constants.Z_FULL_FLUSH });
  const pieces = Array.from({ length: Math.ceil((gigabytes * 1024 ** 3) / CHUNK) }, () => piece);
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...pieces, Buffer.from([0x03, 0x00, 0, 0, 0, 1])]);
}

/** A PDF of one page (object 3), followed by the given objects. */
export function buildPdf(page: string, ...objects: readonly (string | Buffer)[]): Buffer {
  const fixed = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>", page];
  const parts = [Buffer.from("%PDF-1.7\n")];
  const places: number[] = [];
  for (const [at, object] of [...fixed, ...objects].entries()) {
    places.push(parts.reduce((sum, part) => sum + part.length, 0));
    parts.push(Buffer.from(`${at + 1} 0 obj\n`), Buffer.from(object), Buffer.from("\nendobj\n"));
  }
  const start = parts.reduce((sum, part) => sum + part.length, 0);
  const lines = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const size = places.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${lines}trailer\n<</Size ${size}/Root 1 0 R>>\n`;
  return Buffer.concat([...parts, Buffer.from(`${table}startxref\n${start}\n%%EOF\n`)]);
}

/** A stream object with a dictionary. */
export function pdfStream(dictionary: string, bytes: Buffer): Buffer {
  const head = Buffer.from(`<<${dictionary}/Length ${bytes.length}>>\nstream\n`);
  return Buffer.concat([head, bytes, Buffer.from("\nendstream")]);
}

/** A grey PNG with the given header size and zlib bytes. */
export function buildPng(width: number, height: number, pixels: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const ends = [Buffer.alloc(4), Buffer.alloc(4)] as const;
  ends[0].writeUInt32BE(data.length);
  ends[1].writeUInt32BE(crc32(body));
  return Buffer.concat([ends[0], body, ends[1]]);
}

/** The same JPEG with another size in its frame header. */
export function jpegWithClaimedSize(jpeg: Buffer, width: number, height: number): Buffer {
  const claiming = Buffer.from(jpeg);
  const frame = claiming.indexOf(Buffer.from([0xff, 0xc0]));
  claiming.writeUInt16BE(height, frame + 5);
  claiming.writeUInt16BE(width, frame + 7);
  return claiming;
}
