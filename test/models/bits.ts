/** The bit of a number in a list of bits. */
export const bit = (one: number): number => 1 << one;

/** A list as bits. */
export const toBits = (list: readonly number[]): number => list.reduce((bits, one) => bits | bit(one), 0);

/** The numbers below `length` in a list of bits. */
export const listed = (bits: number, length: number): number[] =>
  Array.from({ length }, (_, one) => one).filter((one) => (bits & bit(one)) !== 0);

/** All lists of some of the numbers, as bits. */
export const subsets = (list: readonly number[]): number[] =>
  list.reduce((found, one) => found.concat(found.map((bits) => bits | bit(one))), [0]);
