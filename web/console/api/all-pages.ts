/** Maximum number of rows of a list that is read to its end: more than a person looks through. */
const MAX_ROWS = 1_000;

/** A list that was read page by page. */
export interface WholeList<Row> {
  readonly rows: readonly Row[];
  /** Whether there are more rows than these. */
  readonly isCut: boolean;
}

interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next_cursor: string | null | undefined;
}

/**
 * Reads a list to its end, or until it has `most` rows.
 * @param read reads the page of a cursor; undefined for the first page.
 */
export async function readAllPages<Row>(
  read: (next_cursor: string | undefined) => Promise<Page<Row>>,
  most = MAX_ROWS,
): Promise<WholeList<Row>> {
  const rows: Row[] = [];
  let next: string | undefined;
  do {
    const page = await read(next);
    rows.push(...page.rows);
    next = page.next_cursor ?? undefined;
  } while (next !== undefined && rows.length < most);
  return { rows, isCut: next !== undefined };
}
