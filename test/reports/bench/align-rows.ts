/** The fields of a row that pairing needs. */
export interface NamedRow {
  readonly test_name: string;
  readonly value: string;
}

/** A truth row and its parsed row. One of them is null for a missing or invented row. */
export interface RowPair<Truth, Read> {
  readonly truth: Truth | null;
  readonly read: Read | null;
  /** Index of the parsed row among all parsed rows. */
  readonly place: number | null;
}

const MIN_SIMILARITY = 0.5;
const MIN_SIMILARITY_WITH_VALUE = 0.3;
const VALUE_BONUS = 0.5;

/** Folds case and spaces. */
export const foldText = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, " ").trim();

function bigrams(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const padded = ` ${foldText(text).replaceAll(/[^a-z0-9]/g, "")} `;
  for (let at = 0; at < padded.length - 1; at += 1) {
    const pair = padded.slice(at, at + 2);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return counts;
}

/** Similarity of two names, 0 to 1: the Dice coefficient of their letter pairs. */
function nameSimilarity(left: string, right: string): number {
  const [one, other] = [bigrams(left), bigrams(right)];
  let shared = 0;
  for (const [pair, count] of one) shared += Math.min(count, other.get(pair) ?? 0);
  const all = [...one.values(), ...other.values()].reduce((sum, count) => sum + count, 0);
  return all === 0 ? 0 : (2 * shared) / all;
}

/** Score of pairing two rows, 0 if they are different rows. */
function pairScore(truth: NamedRow, read: NamedRow): number {
  const alike = nameSimilarity(truth.test_name, read.test_name);
  const isSameValue = truth.value === read.value;
  if (alike < (isSameValue ? MIN_SIMILARITY_WITH_VALUE : MIN_SIMILARITY)) return 0;
  return alike + (isSameValue ? VALUE_BONUS : 0);
}

/** Pairs rows in order with maximum total similarity. Rows without a partner stay single. */
export function alignRows<Truth extends NamedRow, Read extends NamedRow>(
  truths: readonly Truth[],
  reads: readonly Read[],
): RowPair<Truth, Read>[] {
  const [rows, columns] = [truths.length, reads.length];
  const best = Array.from({ length: rows + 1 }, () => new Float64Array(columns + 1));
  const at = (row: number, column: number) => best[row]?.[column] ?? 0;
  const worths = truths.map((truth) => reads.map((read) => pairScore(truth, read)));
  for (let row = rows - 1; row >= 0; row -= 1)
    for (let column = columns - 1; column >= 0; column -= 1) {
      const paired = worths[row]?.[column] ?? 0;
      const together = paired > 0 ? paired + at(row + 1, column + 1) : 0;
      (best[row] as Float64Array)[column] = Math.max(together, at(row + 1, column), at(row, column + 1));
    }
  const pairs: RowPair<Truth, Read>[] = [];
  let [row, column] = [0, 0];
  while (row < rows || column < columns) {
    const paired = worths[row]?.[column] ?? 0;
    const [truth, read] = [truths[row] ?? null, reads[column] ?? null];
    if (paired > 0 && at(row, column) === paired + at(row + 1, column + 1)) {
      pairs.push({ truth, read, place: column });
      [row, column] = [row + 1, column + 1];
    } else if (row < rows && (column >= columns || at(row, column) === at(row + 1, column))) {
      pairs.push({ truth, read: null, place: null });
      row += 1;
    } else {
      pairs.push({ truth: null, read, place: column });
      column += 1;
    }
  }
  return pairs;
}
