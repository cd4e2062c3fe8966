import { findConnectedComponents } from "./connected-components.ts";
import type { PageImage } from "./grey-image.ts";

const INK = 128;
/** Maximum size of a dot in inches, minimum area in pixels, and maximum aspect ratio. */
const DOT_INCHES = 0.025;
const MIN_AREA = 4;
const MAX_ASPECT_RATIO = 2;

/** Dilates dots by one pixel. OCR loses the decimal points of small print first. */
export function dilateDots(page: PageImage): PageImage {
  const { width, height, dpi } = page;
  const pixels = new Uint8Array(page.pixels);
  for (const { left, top, right, bottom, area } of findConnectedComponents(page, INK)) {
    const [across, down] = [right - left, bottom - top];
    const isDot = Math.max(across, down) <= DOT_INCHES * dpi && area >= MIN_AREA;
    if (!isDot || Math.max(across, down) > MAX_ASPECT_RATIO * Math.min(across, down)) continue;
    for (let y = Math.max(top - 1, 0); y < Math.min(bottom + 1, height); y++)
      pixels.fill(0, y * width + Math.max(left - 1, 0), y * width + Math.min(right + 1, width));
  }
  return { ...page, pixels };
}
