import { createWhiteImage, type GreyImage } from "./grey-image.ts";

/** Fixed-point bits of the interpolation weights. */
const BITS = 8;
const FIXED_POINT_ONE = 1 << BITS;

/**
 * Scales an image and rotates it about its centre; uncovered areas are white.
 * @param radians the skew of the lines, positive if they fall to the right; the rotation corrects it.
 */
export function resample(image: GreyImage, scale: number, radians: number): GreyImage {
  const source = scale < 0.75 ? downsample(image, Math.round(1 / scale)) : image;
  const width = Math.round(image.width * scale);
  const height = Math.round(image.height * scale);
  const step = source.width / image.width / scale;
  const [cos, sin] = [Math.cos(radians) * step, Math.sin(radians) * step];
  const target = createWhiteImage(width, height);
  for (let y = 0, to = 0; y < height; y++) {
    let fromX = (source.width - 1) / 2 - ((width - 1) / 2) * cos - (y - (height - 1) / 2) * sin;
    let fromY = (source.height - 1) / 2 - ((width - 1) / 2) * sin + (y - (height - 1) / 2) * cos;
    for (let x = 0; x < width; x++, to++, fromX += cos, fromY += sin)
      target.pixels[to] = interpolate(source, fromX, fromY);
  }
  return target;
}

/** Bilinear interpolation of four pixels. */
function interpolate({ width, height, pixels }: GreyImage, x: number, y: number): number {
  const column = Math.floor(x);
  const row = Math.floor(y);
  if (column < 0 || row < 0 || column >= width - 1 || row >= height - 1) return 255;
  const at = row * width + column;
  const right = ((x - column) * FIXED_POINT_ONE) | 0;
  const below = ((y - row) * FIXED_POINT_ONE) | 0;
  const above = pixels[at]! * (FIXED_POINT_ONE - right) + pixels[at + 1]! * right;
  const under = pixels[at + width]! * (FIXED_POINT_ONE - right) + pixels[at + width + 1]! * right;
  return (above * (FIXED_POINT_ONE - below) + under * below) >> (2 * BITS);
}

/** Downsamples an image by an integer factor with area averaging. */
export function downsample(image: GreyImage, factor: number): GreyImage {
  if (factor <= 1) return image;
  const width = Math.floor(image.width / factor);
  const height = Math.floor(image.height / factor);
  const pixels = new Uint8Array(width * height);
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to++) {
      let sum = 0;
      for (let row = y * factor; row < (y + 1) * factor; row++) {
        const start = row * image.width + x * factor;
        for (let at = start; at < start + factor; at++) sum += image.pixels[at]!;
      }
      pixels[to] = sum / (factor * factor);
    }
  }
  return { width, height, pixels };
}
