import { convertIndexedToRgb, decode as decodePng } from "fast-png";
import { decode as decodeJpeg } from "jpeg-js";
import { invalidInput, MAX_PIXELS } from "../check-files.ts";
import { applyOrientation, type GreyImage, type PageImage, toGreyImage } from "./grey-image.ts";
import { readJpegHeader, readPngHeader } from "./image-header.ts";

/** Memory limit of decoding one JPEG: four channels of MAX_PIXELS and their coefficients. */
const MAX_JPEG_MEGABYTES = 1400;
/** Markers that pixel data cannot contain: start of scan, and end of image. */
const SCAN = Buffer.from([0xff, 0xda]);
const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);
/** Assumed longer side of a page, in inches, without a plausible resolution in the file. */
const SHEET_INCHES = 11;
/** Plausible page sides. A camera's default of 72 dots per inch would give a page of metres. */
const SIDE_INCHES = { from: 3, to: 20 };

/** Decodes an image file into an upright greyscale page. @throws UnreadableReport for a damaged file. */
export function decodeImage(file: Uint8Array, kind: "jpeg" | "png"): PageImage {
  const header = kind === "png" ? readPngHeader(file) : readJpegHeader(file);
  const stored = decodeOrRefuse(() => (kind === "png" ? greyOfPng(file) : greyOfJpeg(file)));
  const image = applyOrientation(stored, header?.orientation ?? 1);
  return { ...image, dpi: likelyDpi(image, header?.dpi ?? null) };
}

function decodeOrRefuse(decode: () => GreyImage): GreyImage {
  try {
    return decode();
  } catch {
    throw invalidInput("An image is damaged.");
  }
}

function greyOfPng(file: Uint8Array): GreyImage {
  const png = decodePng(file);
  if (png.palette) return toGreyImage(png.width, png.height, convertIndexedToRgb(png), png.palette[0]?.length ?? 3);
  const rows = png.depth < 8 ? unpackBits(png.data, png.width, png.height, png.depth) : png.data;
  const bytes = png.depth === 16 ? Uint8Array.from(rows, (value) => value >> 8) : rows;
  return toGreyImage(png.width, png.height, bytes, png.channels);
}

function greyOfJpeg(file: Uint8Array): GreyImage {
  // The decoder paints missing data grey. A report without its lower half must not pass as a whole one.
  if (Buffer.from(file).lastIndexOf(END_OF_IMAGE) < Buffer.from(file).lastIndexOf(SCAN)) throw new Error("cut off");
  const limits = { maxResolutionInMP: MAX_PIXELS / 1_000_000, maxMemoryUsageInMB: MAX_JPEG_MEGABYTES };
  const { width, height, data } = decodeJpeg(file, { useTArray: true, formatAsRGBA: false, ...limits });
  return toGreyImage(width, height, data, 3);
}

/** Unpacks pixels of 1, 2 or 4 bits into bytes from 0 to 255. Each row starts at a byte. */
export function unpackBits(data: ArrayLike<number>, width: number, height: number, depth: number): Uint8Array {
  const pixels = new Uint8Array(width * height);
  const stride = Math.ceil((width * depth) / 8);
  const most = 2 ** depth - 1;
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to++) {
      const bit = x * depth;
      pixels[to] = ((data[y * stride + (bit >> 3)]! >> (8 - depth - (bit & 7))) & most) * (255 / most);
    }
  }
  return pixels;
}

/** The resolution in the file if it gives a plausible page size, else that of a letter page. */
function likelyDpi({ width, height }: GreyImage, claimed: number | null): number {
  const isLikely = (side: number) =>
    claimed !== null && side / claimed >= SIDE_INCHES.from && side / claimed <= SIDE_INCHES.to;
  return claimed !== null && isLikely(width) && isLikely(height) ? claimed : Math.max(width, height) / SHEET_INCHES;
}
