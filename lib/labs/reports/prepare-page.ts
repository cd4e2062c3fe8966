import { paintAroundSheet } from "./around-sheet.ts";
import { components } from "./components.ts";
import { skewOf } from "./deskew.ts";
import { flattened } from "./flatten-light.ts";
import type { PageImage } from "./grey-image.ts";
import { spreadLevels } from "./levels.ts";
import { removeMarks } from "./remove-marks.ts";
import { resampled } from "./resample.ts";

/** A page full of small print has about eight thousand patches of ink. */
const MOST_PATCHES = 25_000;
const MIDDLE_GREY = 128;
/** The resolution that recognition does best at. */
const BEST_DPI = 300;
/** Resolutions in this range are left as they are, because each resampling blurs. */
const GOOD_DPI = { from: 250, to: 400 };
/** A slope that moves the end of a line by less than a pixel or two is left, likewise. */
const STRAIGHT_RADIANS = 0.0009;

/** The image of a page made ready for recognition: evenly lit, straight, at a good resolution, without what is no text. */
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

/** Whether there are more patches of ink than any page of print has; to recognise text in them takes minutes. */
export function isNoise(prepared: PageImage): boolean {
  return components(prepared, MIDDLE_GREY).length > MOST_PATCHES;
}
