/** Header data of an image file, read before decoding. */
export interface ImageHeader {
  readonly width: number;
  readonly height: number;
  /** Size of a decoded pixel in bytes. */
  readonly bytesPerPixel: number;
  /** Resolution in dots per inch; null if the file states none. */
  readonly dpi: number | null;
  /** EXIF orientation: 1 for upright, up to 8. */
  readonly orientation: number;
}

const INCHES_PER_METRE = 39.3701;
const INCHES_PER_CENTIMETRE = 2.54;
const ORIENTATION_TAG = 0x0112;

/** Reads the header of a PNG file; undefined if truncated. */
export function readPngHeader(bytes: Uint8Array): ImageHeader | undefined {
  if (bytes.length < 33) return undefined;
  const view = viewOf(bytes);
  const channels = ({ 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as Record<number, number>)[view.getUint8(25)] ?? 4;
  const header = { width: view.getUint32(16), height: view.getUint32(20), orientation: 1 };
  return { ...header, bytesPerPixel: (channels * view.getUint8(24)) / 8, dpi: pngDensity(view) };
}

/** Reads the chunks before the pixel data. */
function pngDensity(view: DataView): number | null {
  for (let at = 8; at + 21 <= view.byteLength; at += 12 + view.getUint32(at)) {
    const type = view.getUint32(at + 4);
    if (type === 0x49444154) return null; // IDAT
    if (type === 0x70485973 && view.getUint8(at + 16) === 1) return view.getUint32(at + 8) / INCHES_PER_METRE; // pHYs
  }
  return null;
}

/** Reads the header of a JPEG file; undefined if truncated before the size. */
export function readJpegHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = viewOf(bytes);
  let dpi: number | null = null;
  let orientation = 1;
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) at += 1;
    else {
      const segment = bytes.subarray(at + 4, at + 2 + view.getUint16(at + 2));
      if (isFrame(marker)) return frameHeader(segment, dpi, orientation);
      if (marker === 0xe0) dpi = jfifDensity(segment);
      if (marker === 0xe1) orientation = exifOrientation(segment);
      at += 2 + Math.max(view.getUint16(at + 2), 2);
    }
  }
  return undefined;
}

/** Frame markers (SOF), without the other markers in their range: Huffman and arithmetic tables, extensions. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function frameHeader(segment: Uint8Array, dpi: number | null, orientation: number): ImageHeader | undefined {
  if (segment.length < 6) return undefined;
  const view = viewOf(segment);
  const size = { width: view.getUint16(3), height: view.getUint16(1) };
  return { ...size, bytesPerPixel: view.getUint8(5), dpi, orientation };
}

function jfifDensity(segment: Uint8Array): number | null {
  if (segment.length < 12 || Buffer.from(segment.subarray(0, 4)).toString("latin1") !== "JFIF") return null;
  const density = viewOf(segment).getUint16(8);
  if (segment[7] === 1) return density;
  return segment[7] === 2 ? density * INCHES_PER_CENTIMETRE : null;
}

/** The orientation in the first directory of an EXIF segment; 1 if absent. */
function exifOrientation(segment: Uint8Array): number {
  if (Buffer.from(segment.subarray(0, 4)).toString("latin1") !== "Exif" || segment.length < 16) return 1;
  const view = viewOf(segment.subarray(6));
  const isLittle = view.getUint16(0) === 0x4949;
  const directory = view.getUint32(4, isLittle);
  if (directory + 2 > view.byteLength) return 1;
  const entries = view.getUint16(directory, isLittle);
  for (let at = directory + 2; at + 12 <= view.byteLength && at < directory + 2 + 12 * entries; at += 12) {
    if (view.getUint16(at, isLittle) === ORIENTATION_TAG) return view.getUint16(at + 8, isLittle);
  }
  return 1;
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
