import { convertIndexedToRgb, decode as decodePng } from "fast-png";
import { decode as decodeJpeg } from "jpeg-js";
import { invalid, MAX_PIXELS } from "./check-files.ts";
import { type GreyImage, greyImage, type PageImage, turned } from "./grey-image.ts";
import { jpegHeader, pngHeader } from "./image-header.ts";

/** What decoding one JPEG may take; four channels of MAX_PIXELS, with the coefficients that they come from. */
const MAX_JPEG_MEGABYTES = 1400;
/** Markers that no pixels can look like: where a part of the pixels begins, and where the image ends. */
const SCAN = Buffer.from([0xff, 0xda]);
const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);
/** The longer side of a sheet, in inches, where an image says nothing of its size that can be true. */
const SHEET_INCHES = 11;
/** Sheets have sides in this range; a camera's default of 72 dots per inch would make a page of metres. */
const SIDE_INCHES = { from: 3, to: 20 };

/**
 * The page in an image file, upright and grey.
 * @throws UnreadableReport for a damaged file.
 */
export function decodeImage(file: Uint8Array, kind: "jpeg" | "png"): PageImage {
  const header = kind === "png" ? pngHeader(file) : jpegHeader(file);
  const stored = decoded(() => (kind === "png" ? greyOfPng(file) : greyOfJpeg(file)));
  const image = turned(stored, header?.orientation ?? 1);
  return { ...image, dpi: likelyDpi(image, header?.dpi ?? null) };
}

function decoded(decode: () => GreyImage): GreyImage {
  try {
    return decode();
  } catch {
    throw invalid("An image is damaged.");
  }
}

function greyOfPng(file: Uint8Array): GreyImage {
  const png = decodePng(file);
  if (png.palette) return greyImage(png.width, png.height, convertIndexedToRgb(png), png.palette[0]?.length ?? 3);
  const rows = png.depth < 8 ? unpacked(png.data, png.width, png.height, png.depth) : png.data;
  const bytes = png.depth === 16 ? Uint8Array.from(rows, (value) => value >> 8) : rows;
  return greyImage(png.width, png.height, bytes, png.channels);
}

function greyOfJpeg(file: Uint8Array): GreyImage {
  // The decoder paints what is missing grey; a report that lacks its lower half must not pass for a whole one.
  if (Buffer.from(file).lastIndexOf(END_OF_IMAGE) < Buffer.from(file).lastIndexOf(SCAN)) throw new Error("cut off");
  const limits = { maxResolutionInMP: MAX_PIXELS / 1_000_000, maxMemoryUsageInMB: MAX_JPEG_MEGABYTES };
  const { width, height, data } = decodeJpeg(file, { useTArray: true, formatAsRGBA: false, ...limits });
  return greyImage(width, height, data, 3);
}

/** A byte a pixel, 0 to 255, of rows with 1, 2 or 4 bits a pixel that each begin with a byte. */
export function unpacked(data: ArrayLike<number>, width: number, height: number, depth: number): Uint8Array {
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

/** The resolution that a file claims if its sheet then has a size that sheets have, else that of a common sheet. */
function likelyDpi({ width, height }: GreyImage, claimed: number | null): number {
  const isLikely = (side: number) =>
    claimed !== null && side / claimed >= SIDE_INCHES.from && side / claimed <= SIDE_INCHES.to;
  return claimed !== null && isLikely(width) && isLikely(height) ? claimed : Math.max(width, height) / SHEET_INCHES;
}
