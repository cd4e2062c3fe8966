import { type GreyImage, shadeAtCount } from "./grey-image.ts";

/** Side of a tile, in inches. Text is farther than this from the edge of the paper. */
const SQUARE_INCHES = 0.04;
/**
 * A tile darker than this share of the paper's shade is background, if dark tiles connect it to the side of the image.
 */
const DARK_SHARE = 0.64;
/** Minimum dark share of the left or right side of the image. A coloured bar that bleeds off the page is shorter. */
const SIDE_SHARE = 0.5;
/** Share of pixels that are no lighter than paper. */
const PAPER_SHARE = 0.6;

/** The tiles of an image, row by row, with their mean shades. */
interface TileGrid {
  readonly columns: number;
  readonly rows: number;
  readonly shades: Float32Array;
  readonly side: number;
}

/**
 * Paints the background around a photographed page in the shade of the paper, in place. OCR would read the edge of the
 * paper as text.
 */
export function maskBackground(image: GreyImage, dpi: number): void {
  const squares = tileImage(image, Math.max(2, Math.round(SQUARE_INCHES * dpi)));
  const paper = paperShade(image);
  const around = findBackground(squares, paper * DARK_SHARE);
  for (const square of around) paintTile(image, squares, square, paper);
}

function tileImage({ width, height, pixels }: GreyImage, side: number): TileGrid {
  const [columns, rows] = [Math.floor(width / side), Math.floor(height / side)];
  const shades = new Float32Array(columns * rows);
  for (let y = 0; y < rows * side; y++) {
    const first = Math.floor(y / side) * columns;
    for (let x = 0; x < columns * side; x++) shades[first + Math.floor(x / side)]! += pixels[y * width + x]!;
  }
  return { columns, rows, side, shades: shades.map((sum) => sum / (side * side)) };
}

function paperShade({ pixels }: GreyImage): number {
  const counts = new Uint32Array(256);
  for (const shade of pixels) counts[shade]!++;
  return shadeAtCount(counts, pixels.length * PAPER_SHARE);
}

/** Dark tiles connected to the left or right side of the image. */
function findBackground({ columns, rows, shades }: TileGrid, darkest: number): ReadonlySet<number> {
  const sides = [0, columns - 1].map((column) =>
    Array.from({ length: rows }, (_, row) => row * columns + column).filter((square) => shades[square]! < darkest),
  );
  const open = sides.filter((side) => side.length >= rows * SIDE_SHARE).flat();
  const found = new Set(open);
  for (let square = open.pop(); square !== undefined; square = open.pop()) {
    const column = square % columns;
    const beside = [column > 0 ? square - 1 : -1, column < columns - 1 ? square + 1 : -1];
    for (const next of [...beside, square - columns, square + columns]) {
      if (next < 0 || next >= shades.length || found.has(next) || shades[next]! >= darkest) continue;
      found.add(next);
      open.push(next);
    }
  }
  return found;
}

/** Paints a tile and its neighbours, which contain the edge of the paper. */
function paintTile(
  { width, height, pixels }: GreyImage,
  { columns, side }: TileGrid,
  square: number,
  shade: number,
): void {
  const [column, row] = [square % columns, Math.floor(square / columns)];
  const [left, right] = [Math.max(column - 1, 0) * side, column + 3 > columns ? width : (column + 2) * side];
  for (let y = Math.max(row - 1, 0) * side; y < Math.min((row + 2) * side, height); y++)
    pixels.fill(shade, y * width + left, y * width + right);
}
