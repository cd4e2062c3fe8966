import { findConnectedComponents } from "./connected-components.ts";
import { flattenIllumination } from "./flatten-illumination.ts";
import type { PageImage } from "./grey-image.ts";
import { maskBackground } from "./mask-background.ts";
import { measureSkew } from "./measure-skew.ts";
import { removeNonText } from "./remove-non-text.ts";
import { resample } from "./resample.ts";
import { stretchContrast } from "./stretch-contrast.ts";

/** A page full of small print has about eight thousand connected components. */
const MAX_COMPONENTS = 25_000;
const MIDDLE_GREY = 128;
/** The optimal resolution for OCR. */
const BEST_DPI = 300;
/** Resolutions in this range stay as they are, because resampling blurs. */
const GOOD_DPI = { from: 250, to: 400 };
/** A skew below this shifts the end of a line by a pixel or two and stays, for the same reason. */
const STRAIGHT_RADIANS = 0.0009;

/** Preprocesses a page image for OCR: even illumination, no skew, a suitable resolution, and no rulings or specks. */
export function preprocessPage(page: PageImage): PageImage {
  maskBackground(page, page.dpi);
  const even = flattenIllumination(page, page.dpi);
  const skew = measureSkew(even, page.dpi);
  const isGood = page.dpi >= GOOD_DPI.from && page.dpi <= GOOD_DPI.to;
  const scale = isGood ? 1 : BEST_DPI / page.dpi;
  const isStraight = isGood && Math.abs(skew) < STRAIGHT_RADIANS;
  const straight = isStraight ? even : resample(even, scale, skew);
  stretchContrast(straight);
  const prepared = { ...straight, dpi: page.dpi * scale };
  removeNonText(prepared, prepared.dpi);
  return prepared;
}

/** Reports whether an image has more components than any printed page. OCR of noise takes minutes. */
export function isNoise(prepared: PageImage): boolean {
  return findConnectedComponents(prepared, MIDDLE_GREY).length > MAX_COMPONENTS;
}
