/** A plane transformation of PDF: x' = a x + c y + e, y' = b x + d y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** The transformation that does `inner` first and `outer` after it. */
export function composed(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [p, q, r, s, t, u] = inner;
  return [a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f];
}

/** The way back; undefined for a transformation that leaves nothing of the plane. */
export function inverted([a, b, c, d, e, f]: Matrix): Matrix | undefined {
  const size = a * d - b * c;
  if (!Number.isFinite(1 / size)) return undefined;
  return [d / size, -b / size, -c / size, a / size, (c * f - d * e) / size, (b * e - a * f) / size];
}

/** The matrix in a list of numbers of a parser; undefined when it is none. */
export function matrixOf(numbers: ArrayLike<number> | null | undefined): Matrix | undefined {
  const [a, b, c, d, e, f] = Array.from(numbers ?? []);
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
  return e === undefined || f === undefined ? undefined : [a, b, c, d, e, f];
}
