import { flattenIllumination } from "./flatten-illumination.ts";
import type { GreyImage, PageImage } from "./grey-image.ts";
import { downsample } from "./resample.ts";

/** Resolution at which the skew is measured. */
const DPI = 100;
/** Lightest shade of ink on evenly lit paper. */
const INK = 150;
/** Maximum skew, in degrees. */
const MAX_SKEW_DEGREES = 6;
/** Step sizes of the coarse and of the fine search. */
const COARSE_DEGREES = 0.25;
const FINE_DEGREES = 0.025;

const RADIANS = Math.PI / 180;

/** Coordinates of ink pixels at a low resolution. */
interface InkPixels {
  readonly columns: Int16Array;
  readonly rows: Int16Array;
  readonly width: number;
  readonly height: number;
}

/** Measures the skew of the text lines by projection profiles, in radians; positive if lines fall to the right. */
export function measureSkew(image: GreyImage, dpi: number): number {
  const ink = findInk(image, dpi);
  const coarse = bestSlope(ink, 0, MAX_SKEW_DEGREES, COARSE_DEGREES);
  return bestSlope(ink, coarse, COARSE_DEGREES, FINE_DEGREES) * RADIANS;
}

/** Reports whether text runs vertically: ink then concentrates in columns rather than in rows. */
export function isSideways(image: PageImage): boolean {
  const ink = findInk(flattenIllumination(image, image.dpi), image.dpi);
  const across = { columns: ink.rows, rows: ink.columns, width: ink.height, height: ink.width };
  const best = (each: InkPixels) =>
    projectionScore(each, bestSlope(each, 0, MAX_SKEW_DEGREES, COARSE_DEGREES)) * each.height;
  return best(across) > best(ink);
}

function findInk(image: GreyImage, dpi: number): InkPixels {
  const small = downsample(image, Math.max(1, Math.round(dpi / DPI)));
  const places: number[] = [];
  // Scans have black borders at the edge of the paper.
  const border = Math.round(small.width * 0.02);
  for (let y = border; y < small.height - border; y++)
    for (let x = border; x < small.width - border; x++)
      if (small.pixels[y * small.width + x]! < INK) places.push(y * small.width + x);
  const columns = Int16Array.from(places, (at) => at % small.width);
  const rows = Int16Array.from(places, (at) => Math.floor(at / small.width));
  return { columns, rows, width: small.width, height: small.height };
}

/** The slope in degrees with the best projection score around a middle. */
function bestSlope(ink: InkPixels, middle: number, reach: number, step: number): number {
  const slopes = Array.from({ length: 2 * Math.round(reach / step) + 1 }, (_, at) => middle - reach + at * step);
  const scores = slopes.map((slope) => projectionScore(ink, slope));
  return slopes[scores.indexOf(Math.max(...scores))] ?? 0;
}

/** Sum of squares of the row projections of the ink at a slope in degrees. */
function projectionScore({ columns, rows, width, height }: InkPixels, degrees: number): number {
  const slope = Math.tan(degrees * RADIANS);
  const reach = Math.ceil(Math.abs(slope) * width) + 1;
  const counts = new Int32Array(height + 2 * reach);
  for (let at = 0; at < rows.length; at++) counts[(rows[at]! - columns[at]! * slope + reach) | 0]!++;
  let sum = 0;
  for (const count of counts) sum += count * count;
  return sum;
}
