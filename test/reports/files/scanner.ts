import type { SeededRandom } from "../content/seeded-random.ts";
import type { DrawnPage } from "../pages/drawn-page.ts";
import { encodeJpeg, encodePng, type GreyImage, toGreyImage } from "./grey-image.ts";
import { rasterizePage } from "./rasterize-page.ts";

/** Degradation of black and white: their grey levels, noise (standard deviation), blur (share of the neighbours). */
interface Wear {
  readonly ink: number;
  readonly paper: number;
  readonly noise: number;
  readonly soft: number;
  /** Brightness at a position, 1 for full. */
  readonly light: (x: number, y: number) => number;
}

const NOISE_VALUES = 4096;

/** Numbers of a normal distribution, drawn once and read in varying order, because one draw per pixel is slow. */
function noiseOf(random: SeededRandom, deviation: number): Float32Array {
  const noise = new Float32Array(NOISE_VALUES);
  for (let index = 0; index < NOISE_VALUES; index += 1) {
    const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
    noise[index] = radius * Math.cos(2 * Math.PI * random.next()) * deviation;
  }
  return noise;
}

/** Degrades an image like a worn lens and sensor. */
function worn(image: GreyImage, wear: Wear, random: SeededRandom): GreyImage {
  const { width, height, pixels } = image;
  const out = new Uint8Array(pixels.length);
  const noise = noiseOf(random, wear.noise);
  const contrast = (wear.paper - wear.ink) / 255;
  let walk = random.whole(0, NOISE_VALUES - 1);
  for (let y = 0; y < height; y += 1) {
    const [above, below] = [y > 0 ? -width : 0, y < height - 1 ? width : 0];
    walk = (walk + random.whole(1, NOISE_VALUES)) % NOISE_VALUES;
    for (let x = 0; x < width; x += 1) {
      const at = y * width + x;
      const own = pixels[at] ?? 0;
      const around =
        ((pixels[at - 1] ?? own) +
          (pixels[at + 1] ?? own) +
          (pixels[at + above] ?? own) +
          (pixels[at + below] ?? own)) /
        4;
      walk = (walk + 1) % NOISE_VALUES;
      const seen = (wear.ink + (own * (1 - wear.soft) + around * wear.soft) * contrast) * wear.light(x, y);
      out[at] = Math.max(0, Math.min(255, seen + (noise[walk] ?? 0)));
    }
  }
  return { width, height, pixels: out };
}

/** Adds dust on the glass: small dark and light specks. */
function speckle({ width, height, pixels }: GreyImage, random: SeededRandom): void {
  const count = Math.round((width * height) / 60_000);
  for (let speck = 0; speck < count; speck += 1) {
    const [x, y, side] = [random.whole(1, width - 4), random.whole(1, height - 4), random.whole(1, 2)];
    const grey = random.boolean(0.7) ? random.whole(60, 170) : 250;
    for (let place = 0; place < side * side; place += 1)
      pixels[(y + Math.floor(place / side)) * width + x + (place % side)] = grey;
  }
}

/** Scans a page like a flatbed scanner: PNG or JPEG, slightly skewed, slightly grey. */
export function scanPage(page: DrawnPage, dpi: number, random: SeededRandom): Uint8Array {
  const canvas = rasterizePage(page, { dpi, skew: random.between(-0.4, 0.4), scale: 1, background: 255 });
  const wear: Wear = {
    ink: random.between(5, 40),
    paper: random.between(238, 253),
    noise: random.between(1.5, 5),
    soft: random.between(0.15, 0.45),
    light: () => 1,
  };
  const image = worn(toGreyImage(canvas), wear, random);
  speckle(image, random);
  return random.boolean(0.5) ? encodePng(image, dpi) : encodeJpeg(image, random.whole(75, 90), dpi);
}

const PHOTO_DPI = 200;

/** Photographs a page like a phone camera: skewed, unevenly lit, noisy, slightly blurred. */
export function photographPage(page: DrawnPage, random: SeededRandom): Uint8Array {
  const hasEdge = random.boolean(0.5);
  const skew = random.between(0.3, 2) * (random.boolean(0.5) ? 1 : -1);
  const canvas = rasterizePage(page, {
    dpi: PHOTO_DPI,
    skew,
    scale: hasEdge ? random.between(0.93, 0.97) : 1,
    background: hasEdge ? random.whole(60, 120) : 250,
  });
  const [angle, depth] = [random.between(0, 2 * Math.PI), random.between(0.12, 0.35)];
  const { width, height } = canvas;
  const light = (x: number, y: number) =>
    1 - depth * (0.5 + (Math.cos(angle) * (x / width - 0.5) + Math.sin(angle) * (y / height - 0.5)) * 0.9);
  const wear: Wear = {
    ink: random.between(25, 55),
    paper: random.between(225, 245),
    noise: random.between(4, 9),
    soft: random.between(0.4, 0.7),
    light,
  };
  return encodeJpeg(worn(toGreyImage(canvas), wear, random), random.whole(60, 75), null);
}
