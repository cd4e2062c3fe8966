import type { GreyImage, PixelBox } from "./grey-image.ts";

/** A connected component of ink pixels. */
export interface ConnectedComponent extends PixelBox {
  /** Number of pixels. */
  readonly area: number;
}

/** Horizontal runs of ink: start, end (exclusive) and row. */
interface Runs {
  readonly starts: number[];
  readonly ends: number[];
  readonly rows: number[];
}

/** Finds the connected components of an image. @param ink the lightest shade of ink. */
export function findConnectedComponents(image: GreyImage, ink: number): ConnectedComponent[] {
  const runs = findRuns(image, ink);
  const parents = unionRuns(runs);
  const found = new Map<number, { left: number; top: number; right: number; bottom: number; area: number }>();
  for (let run = 0; run < parents.length; run++) {
    const [start, end, row] = [runs.starts[run]!, runs.ends[run]!, runs.rows[run]!];
    const root = findRoot(parents, run);
    const patch = found.get(root);
    if (!patch) found.set(root, { left: start, top: row, right: end, bottom: row + 1, area: end - start });
    else {
      patch.left = Math.min(patch.left, start);
      patch.right = Math.max(patch.right, end);
      patch.bottom = row + 1;
      patch.area += end - start;
    }
  }
  return [...found.values()];
}

function findRuns({ width, height, pixels }: GreyImage, ink: number): Runs {
  const runs: Runs = { starts: [], ends: [], rows: [] };
  for (let y = 0; y < height; y++) {
    const row = y * width;
    for (let x = 0; x < width; x++) {
      if (pixels[row + x]! > ink) continue;
      const start = x;
      while (x < width && pixels[row + x]! <= ink) x++;
      runs.starts.push(start);
      runs.ends.push(x);
      runs.rows.push(y);
    }
  }
  return runs;
}

/** Joins runs of adjacent rows that touch (8-connectivity) into components. @returns the parent of each run. */
function unionRuns({ starts, ends, rows }: Runs): Int32Array {
  const parents = Int32Array.from(starts, (_, run) => run);
  let above = 0;
  for (let run = 0; run < starts.length; run++) {
    while (rows[above]! < rows[run]! - 1 || (rows[above] === rows[run]! - 1 && ends[above]! < starts[run]!)) above++;
    for (let other = above; rows[other] === rows[run]! - 1 && starts[other]! <= ends[run]!; other++)
      parents[findRoot(parents, run)] = findRoot(parents, other);
  }
  return parents;
}

function findRoot(parents: Int32Array, run: number): number {
  let at = run;
  while (parents[at] !== at) {
    parents[at] = parents[parents[at]!]!;
    at = parents[at]!;
  }
  return at;
}
