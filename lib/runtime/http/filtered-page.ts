import * as z from "zod";
import { positionText } from "../../store/cursor.ts";
import type { Page } from "../../store/table.ts";
import type { PageCursor } from "./page-cursor.ts";

/** A paginated list with a filter that the table cannot apply. */
export interface FilteredList<T> {
  /** Reads a page of all entries in the order of their sort keys, after the given sort key. */
  readonly read: (after: string | undefined, limit: number) => Promise<Page<T & { sk: string }>>;
  readonly matches: (entry: T) => boolean;
  readonly size: number;
  readonly next_cursor: string | null | undefined;
  readonly pages: PageCursor;
}

/**
 * Reads `size` matching entries, and the cursor of the next page if more entries may match.
 * @throws ValidationFailed for a cursor of another query.
 */
export async function readFilteredPage<T>(list: FilteredList<T>): Promise<{ found: T[]; next_cursor: string | null }> {
  const { read, matches, size, pages } = list;
  const after = pages.read(list.next_cursor, z.tuple([positionText]));
  const found: T[] = [];
  let position = after?.[0];
  for (;;) {
    const page = await read(position, size);
    for (const entry of page.items) {
      if (found.length === size) return { found, next_cursor: pages.write([position ?? ""]) };
      if (matches(entry)) found.push(entry);
      position = entry.sk;
    }
    if (!page.lastKey) return { found, next_cursor: null };
  }
}
