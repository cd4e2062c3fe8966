import { createCanvas, type Image, loadImage } from "@napi-rs/canvas";
import { createReportContent } from "../content/report-content.ts";
import { SeededRandom } from "../content/seeded-random.ts";
import type { Layout } from "../layouts/layout.ts";
import { typesetReport } from "../pages/typeset-report.ts";
import { encodePng, type GreyImage, toGreyImage } from "./grey-image.ts";
import { photographPage, scanPage } from "./scanner.ts";

const TILE = { width: 352, height: 456 };
const GAP = 10;
const TILES_PER_ROW = 4;
const MAX_TILES = 12;
const DPI = 200;
/** Distance between the remaining grey levels. Fewer levels make a smaller file. */
const GREY_STEP = 17;

function shrunkInto(target: GreyImage, image: Image, left: number, top: number): void {
  const canvas = createCanvas(image.width, image.height);
  canvas.getContext("2d").drawImage(image, 0, 0);
  const { width, height, pixels } = toGreyImage(canvas);
  const scale = Math.max(width / TILE.width, height / TILE.height);
  for (let y = 0; y < Math.floor(height / scale); y += 1)
    for (let x = 0; x < Math.floor(width / scale); x += 1) {
      let [sum, count] = [0, 0];
      for (let row = Math.floor(y * scale); row < (y + 1) * scale; row += 1)
        for (let column = Math.floor(x * scale); column < (x + 1) * scale; column += 1) {
          sum += pixels[row * width + column] ?? 255;
          count += 1;
        }
      target.pixels[(top + y) * target.width + left + x] = Math.min(
        255,
        Math.round(sum / count / GREY_STEP) * GREY_STEP,
      );
    }
}

/** Draws the first pages of reports of a dozen layouts side by side, every third as a photo. @returns a PNG file. */
export async function contactSheet(layouts: readonly Layout[], seed = 1): Promise<Uint8Array> {
  const count = Math.min(MAX_TILES, layouts.length);
  const down = Math.ceil(count / TILES_PER_ROW);
  const [width, height] = [TILES_PER_ROW * (TILE.width + GAP) + GAP, down * (TILE.height + GAP) + GAP];
  const sheet = { width, height, pixels: new Uint8Array(width * height).fill(170) };
  for (let tile = 0; tile < count; tile += 1) {
    const layout = layouts[Math.floor((tile * layouts.length) / count)];
    const [page] = layout === undefined ? [] : typesetReport(createReportContent(layout, seed));
    if (layout === undefined || page === undefined) throw new Error("the sheet has more tiles than layouts");
    const random = new SeededRandom("sheet", layout.name, seed);
    const image = await loadImage(tile % 3 === 2 ? photographPage(page, random) : scanPage(page, DPI, random));
    const [column, row] = [tile % TILES_PER_ROW, Math.floor(tile / TILES_PER_ROW)];
    shrunkInto(sheet, image, GAP + column * (TILE.width + GAP), GAP + row * (TILE.height + GAP));
  }
  return encodePng(sheet, 96);
}
