import { paintAroundSheet } from "./around-sheet.ts";
import { components } from "./components.ts";
import { skewOf } from "./deskew.ts";
import { flattened } from "./flatten-light.ts";
import type { PageImage } from "./grey-image.ts";
import { spreadLevels } from "./levels.ts";
import { removeMarks } from "./remove-marks.ts";
import { resampled } from "./resample.ts";

/** A page full of small print has about eight thousand connected components. */
const MOST_PATCHES = 25_000;
const MIDDLE_GREY = 128;
/** The optimal resolution for OCR. */
const BEST_DPI = 300;
/** Resolutions in this range stay as they are, because resampling blurs. */
const GOOD_DPI = { from: 250, to: 400 };
/** A skew below this shifts the end of a line by a pixel or two and stays, for the same reason. */
const STRAIGHT_RADIANS = 0.0009;

/** Preprocesses a page image for OCR: even illumination, no skew, a suitable resolution, and no rulings or specks. */
export function preparedPage(page: PageImage): PageImage {
  paintAroundSheet(page, page.dpi);
  const even = flattened(page, page.dpi);
  const skew = skewOf(even, page.dpi);
  const isGood = page.dpi >= GOOD_DPI.from && page.dpi <= GOOD_DPI.to;
  const scale = isGood ? 1 : BEST_DPI / page.dpi;
  const isStraight = isGood && Math.abs(skew) < STRAIGHT_RADIANS;
  const straight = isStraight ? even : resampled(even, scale, skew);
  spreadLevels(straight);
  const prepared = { ...straight, dpi: page.dpi * scale };
  removeMarks(prepared, prepared.dpi);
  return prepared;
}

/** Reports whether an image has more components than any printed page. OCR of noise takes minutes. */
export function isNoise(prepared: PageImage): boolean {
  return components(prepared, MIDDLE_GREY).length > MOST_PATCHES;
}
