import { unpackBits } from "../image/decode-image.ts";
import { createWhiteImage, type GreyImage, type PageImage, toGreyImage } from "../image/grey-image.ts";
import { composeMatrices, invertMatrix, type Matrix, toMatrix } from "./matrix.ts";

/** An image as the PDF parser returns it. */
interface ParsedImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint8ClampedArray;
}

/** The operator list of a page: operator numbers and their arguments. */
export interface OperatorList {
  readonly fnArray: readonly number[];
  readonly argsArray: readonly (readonly unknown[] | null)[];
}

/** Operator numbers by name. */
export type Operators = Readonly<Record<string, number>>;

/** An image with the transformation of its unit square to the page, in points from the top left corner. */
export interface PlacedImage extends GreyImage {
  readonly place: Matrix;
}

/** Resolution limits of a composed page. Finer scans take quadratically more memory and read no better. */
const DPI = { least: 72, most: 400 };
const POINTS_PER_INCH = 72;

/**
 * Finds the images of a page with their positions, in drawing order.
 * @param view from PDF page space to the upright page.
 * @param imageOf resolves an image by its name.
 */
export async function findPlacedImages(
  { fnArray, argsArray }: OperatorList,
  operators: Operators,
  view: Matrix,
  imageOf: (name: string) => Promise<unknown>,
): Promise<PlacedImage[]> {
  const names = new Map(Object.entries(operators).map(([name, number]) => [number, name]));
  const found: PlacedImage[] = [];
  const outer: Matrix[] = [];
  let space = view;
  for (const [at, operator] of fnArray.entries()) {
    const name = names.get(operator) ?? "";
    const [first, ...rest] = argsArray[at] ?? [];
    if (name === "save" || name === "paintFormXObjectBegin") outer.push(space);
    if (name === "restore" || name === "paintFormXObjectEnd") space = outer.pop() ?? space;
    if (name === "transform")
      space = composeMatrices(space, toMatrix(toNumbers([first, ...rest])) ?? [1, 0, 0, 1, 0, 0]);
    if (name === "paintFormXObjectBegin")
      space = composeMatrices(space, toMatrix(toNumbers(first)) ?? [1, 0, 0, 1, 0, 0]);
    if (!name.startsWith("paintI")) continue;
    const image = await imageIn(name, first, imageOf);
    if (image) found.push({ ...image, place: space });
  }
  return found;
}

const toNumbers = (list: unknown) =>
  Array.isArray(list) || ArrayBuffer.isView(list) ? Array.from(list as number[]) : [];

async function imageIn(operator: string, first: unknown, imageOf: (name: string) => Promise<unknown>) {
  if (operator === "paintImageXObject" && typeof first === "string") return greyOf(await imageOf(first));
  if (operator === "paintInlineImageXObject") return greyOf(first);
  if (operator !== "paintImageMaskXObject") return undefined;
  const { data } = first as { data?: unknown };
  const mask = typeof data === "string" ? await imageOf(data) : first;
  return greyOf(mask);
}

/** Converts an image to greyscale by its number of bytes: 1-bit masks and fax pages, or one to four channels. */
function greyOf(image: unknown): GreyImage | undefined {
  if (!isImage(image)) return undefined;
  const { width, height, data } = image;
  if (data.length === Math.ceil(width / 8) * height && data.length < width * height)
    return { width, height, pixels: unpackBits(data, width, height, 1) };
  const channels = data.length / (width * height);
  return [1, 3, 4].includes(channels) ? toGreyImage(width, height, data, channels) : undefined;
}

function isImage(image: unknown): image is ParsedImage {
  const { width, height, data } = (image ?? {}) as Partial<ParsedImage>;
  return Boolean(width && height) && (data instanceof Uint8Array || data instanceof Uint8ClampedArray);
}

/** Share of the page that images cover, 0 to 1. Strips of one scan add up. */
export function coverageOf(images: readonly PlacedImage[], width: number, height: number): number {
  const areas = images.map(({ place: [a, b, c, d] }) => Math.abs(a * d - b * c));
  return Math.min(1, areas.reduce((sum, area) => sum + area, 0) / (width * height));
}

/** Composes a page from its images, at the resolution of the finest image that covers a significant part. */
export function composePage(images: readonly PlacedImage[], width: number, height: number): PageImage {
  const scans = images.filter((image) => coverageOf([image], width, height) > 0.02);
  const finest = Math.max(DPI.least, ...scans.map((image) => (image.width / sideOf(image.place)) * POINTS_PER_INCH));
  const dpi = Math.min(finest, DPI.most);
  const page = createWhiteImage(
    Math.round((width / POINTS_PER_INCH) * dpi),
    Math.round((height / POINTS_PER_INCH) * dpi),
  );
  for (const image of images) drawImage(image, page, POINTS_PER_INCH / dpi);
  return { ...page, dpi };
}

/** Length of an image's rows on the page, points. */
const sideOf = ([a, b]: Matrix) => Math.hypot(a, b) || 1;

/** Draws an image onto the page. `step` is the size of a page pixel in points. */
function drawImage(image: PlacedImage, page: GreyImage, step: number): void {
  const back = invertMatrix(image.place);
  if (!back) return;
  const [a, b, c, d, e, f] = back;
  const { left, top, right, bottom } = boundsOf(image.place, page, step);
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const [across, up] = [(x + 0.5) * step, (y + 0.5) * step];
      const column = Math.floor((a * across + c * up + e) * image.width);
      const row = Math.floor((1 - (b * across + d * up + f)) * image.height);
      if (column < 0 || row < 0 || column >= image.width || row >= image.height) continue;
      page.pixels[y * page.width + x] = image.pixels[row * image.width + column]!;
    }
  }
}

/** The bounding box of an image on the page, in pixels. */
function boundsOf([a, b, c, d, e, f]: Matrix, page: GreyImage, step: number) {
  const within = (value: number, most: number) => Math.min(Math.max(Math.round(value / step), 0), most);
  const [xs, ys] = [
    [e, e + a, e + c, e + a + c],
    [f, f + b, f + d, f + b + d],
  ];
  return {
    left: within(Math.min(...xs) - step, page.width),
    right: within(Math.max(...xs) + step, page.width),
    top: within(Math.min(...ys) - step, page.height),
    bottom: within(Math.max(...ys) + step, page.height),
  };
}
