import { crc32 } from "node:zlib";
import { type Canvas, createCanvas } from "@napi-rs/canvas";
import { encode } from "fast-png";

/** A greyscale image: one byte per pixel, row by row. */
export interface GreyImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

const INCH_METRES = 0.0254;
const METRE = 1;

/** The greyscale image of a canvas without colours. */
export function toGreyImage(canvas: Canvas): GreyImage {
  const { width, height } = canvas;
  const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
  const pixels = new Uint8Array(width * height);
  for (let index = 0; index < pixels.length; index += 1) pixels[index] = data[index * 4] ?? 0;
  return { width, height, pixels };
}

/** End of the first chunk of a PNG: eight bytes of signature, 25 of the header. */
const AFTER_HEADER = 33;

/** The chunk with the resolution in pixels per metre. */
function resolutionChunk(dpi: number): Uint8Array {
  const chunk = Buffer.alloc(21);
  const perMetre = Math.round(dpi / INCH_METRES);
  chunk.writeUInt32BE(9, 0);
  chunk.write("pHYs", 4, "latin1");
  chunk.writeUInt32BE(perMetre, 8);
  chunk.writeUInt32BE(perMetre, 12);
  chunk.writeUInt8(METRE, 16);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 17)), 17);
  return chunk;
}

/** Encodes an image as PNG with its resolution. */
export function encodePng({ width, height, pixels }: GreyImage, dpi: number): Uint8Array {
  const file = encode({ width, height, data: pixels, depth: 8, channels: 1 });
  return Buffer.concat([file.subarray(0, AFTER_HEADER), resolutionChunk(dpi), file.subarray(AFTER_HEADER)]);
}

const UNITS = 13;
const PER_INCH = 1;

/** Encodes an image as JPEG. @param dpi resolution to write into the file, if known. */
export function encodeJpeg(image: GreyImage, quality: number, dpi: number | null): Uint8Array {
  const { width, height, pixels } = image;
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  const drawn = context.createImageData(width, height);
  for (let index = 0; index < pixels.length; index += 1) {
    const grey = pixels[index] ?? 0;
    drawn.data.set([grey, grey, grey, 255], index * 4);
  }
  context.putImageData(drawn, 0, 0);
  const file = new Uint8Array(canvas.toBuffer("image/jpeg", quality));
  const isJfif = Buffer.from(file.subarray(6, 10)).toString("latin1") === "JFIF";
  if (isJfif && dpi !== null) file.set([PER_INCH, dpi >> 8, dpi & 255, dpi >> 8, dpi & 255], UNITS);
  return file;
}
