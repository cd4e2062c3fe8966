import { type GreyImage, shadeAtCount } from "./grey-image.ts";

/** Side of a tile of the illumination grid, in inches. */
const SQUARE_INCHES = 0.2;
/** Quantile of a tile's shades that counts as paper. */
const PAPER_SHARE = 0.75;
/** A tile darker than this share of the paper is print, such as a bar or a logo, and takes the typical paper shade. */
const DARKEST_PAPER = 0.45;

interface IlluminationGrid {
  readonly columns: number;
  readonly rows: number;
  readonly light: Float32Array;
}

/**
 * Flattens the illumination of a photographed page: paper becomes white, and the contrast of ink to the paper around it
 * stays.
 */
export function flattenIllumination(image: GreyImage, dpi: number): GreyImage {
  const side = Math.max(8, Math.round(SQUARE_INCHES * dpi));
  const grid = smoothGrid(replaceDarkTiles(measureIllumination(image, side)));
  const pixels = new Uint8Array(image.pixels.length);
  for (let y = 0, at = 0; y < image.height; y++) {
    const row = Math.min(Math.max(y / side - 0.5, 0), grid.rows - 1);
    const light = interpolateRow(grid, row);
    for (let x = 0; x < image.width; x++, at++) {
      const column = Math.min(Math.max(x / side - 0.5, 0), grid.columns - 1);
      const left = column | 0;
      const share = column - left;
      const paper = light[left]! * (1 - share) + light[Math.min(left + 1, grid.columns - 1)]! * share;
      pixels[at] = Math.min(255, (image.pixels[at]! * 250) / paper);
    }
  }
  return { ...image, pixels };
}

/** Illumination of each tile: the shade that a quarter of its pixels reach. */
function measureIllumination(image: GreyImage, side: number): IlluminationGrid {
  const columns = Math.ceil(image.width / side);
  const rows = Math.ceil(image.height / side);
  const light = new Float32Array(columns * rows);
  const shades = new Uint32Array(256);
  for (let square = 0; square < light.length; square++) {
    shades.fill(0);
    const left = (square % columns) * side;
    const top = Math.floor(square / columns) * side;
    const right = Math.min(left + side, image.width);
    const bottom = Math.min(top + side, image.height);
    for (let y = top; y < bottom; y++)
      for (let at = y * image.width + left; at < y * image.width + right; at++) shades[image.pixels[at]!]!++;
    light[square] = shadeAtCount(shades, (right - left) * (bottom - top) * PAPER_SHARE);
  }
  return { columns, rows, light };
}

/** Replaces tiles full of print by the typical shade of paper. */
function replaceDarkTiles(grid: IlluminationGrid): IlluminationGrid {
  const sorted = Float32Array.from(grid.light).sort();
  const paper = sorted[Math.floor(sorted.length * 0.6)] ?? 255;
  return { ...grid, light: grid.light.map((light) => (light < paper * DARKEST_PAPER ? paper : Math.max(light, 1))) };
}

/** Smooths the grid with a 3 by 3 mean. */
function smoothGrid(grid: IlluminationGrid): IlluminationGrid {
  const { columns, rows } = grid;
  const light = grid.light.map((_, square) => {
    const [column, row] = [square % columns, Math.floor(square / columns)];
    let sum = 0;
    let count = 0;
    for (let y = Math.max(row - 1, 0); y <= Math.min(row + 1, rows - 1); y++)
      for (let x = Math.max(column - 1, 0); x <= Math.min(column + 1, columns - 1); x++, count++)
        sum += grid.light[y * columns + x]!;
    return sum / count;
  });
  return { ...grid, light };
}

/** Interpolates the illumination of a pixel row between two rows of tiles. */
function interpolateRow({ columns, rows, light }: IlluminationGrid, row: number): Float32Array {
  const above = Math.floor(row) * columns;
  const below = Math.min(Math.floor(row) + 1, rows - 1) * columns;
  const share = row - Math.floor(row);
  return Float32Array.from(
    { length: columns },
    (_, at) => light[above + at]! * (1 - share) + light[below + at]! * share,
  );
}
