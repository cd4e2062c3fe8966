import type { ReportWord } from "../../../domain/lab-reports/page/report-page.ts";
import { type ConnectedComponent, findConnectedComponents } from "../image/connected-components.ts";
import type { PageImage } from "../image/grey-image.ts";

const INK = 128;
const POINTS_PER_INCH = 72;
/** Maximum size of a decimal point, and maximum distance from the baseline, as shares of the digit height. */
const DOT_SHARE = 0.3;
const BASELINE_SHARE = 0.15;
/** Maximum confidence of a number with restored points. */
const MAX_CONFIDENCE = 80;
/** Numbers, comparators and ranges that may have lost decimal points. */
const NUMBER = /^[<>]?\d[\d.]*(?:[-–]\d[\d.]*)?$/;

/**
 * Restores decimal points that are on the page and that OCR omitted. If a number has as many large components as
 * digits, dots on its baseline are points between them.
 */
export function restoreDecimalPoints(words: readonly ReportWord[], page: PageImage): ReportWord[] {
  const patches = findConnectedComponents(page, INK);
  const scale = page.dpi / POINTS_PER_INCH;
  return words.map((word) => {
    if (!NUMBER.test(word.text)) return word;
    const text = insertPoints(word.text, componentsInWord(word, patches, scale));
    return text === word.text ? word : { ...word, text, confidence: Math.min(word.confidence, MAX_CONFIDENCE) };
  });
}

function componentsInWord(
  { left, top, width, height }: ReportWord,
  patches: readonly ConnectedComponent[],
  scale: number,
) {
  const inside = patches.filter((patch) => {
    const [x, y] = [(patch.left + patch.right) / 2 / scale, (patch.top + patch.bottom) / 2 / scale];
    return x > left && x < left + width && y > top && y < top + height;
  });
  return inside.toSorted((a, b) => a.left - b.left);
}

/** Inserts the points found in the image; the number is unchanged if components and digits do not match one to one. */
function insertPoints(text: string, patches: readonly ConnectedComponent[]): string {
  const height = Math.max(...patches.map(({ top, bottom }) => bottom - top));
  const baseline = Math.max(...patches.map(({ bottom }) => bottom));
  const isSmall = ({ left, top, right, bottom }: ConnectedComponent) =>
    Math.max(right - left, bottom - top) <= DOT_SHARE * height && baseline - bottom <= BASELINE_SHARE * height;
  const large = patches.filter((patch) => !isSmall(patch));
  // A broken digit may have its foot as a separate component below it.
  const isDot = (patch: ConnectedComponent) => isSmall(patch) && !large.some((figure) => isUnder(patch, figure));
  const figures = [...text.replaceAll(".", "")];
  if (large.length !== figures.length) return text;
  const rebuilt = patches.flatMap((patch) => (isDot(patch) ? ["."] : isSmall(patch) ? [] : [figures.shift()])).join("");
  return /^[<>]?\d+(?:\.\d+)?(?:[-–]\d+(?:\.\d+)?)?$/.test(rebuilt) ? rebuilt : text;
}

/** Reports whether most of a component lies within the width of another. */
function isUnder(patch: ConnectedComponent, other: ConnectedComponent): boolean {
  const shared = Math.min(patch.right, other.right) - Math.max(patch.left, other.left);
  return shared > 0.5 * (patch.right - patch.left);
}
