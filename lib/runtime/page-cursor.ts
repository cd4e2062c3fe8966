import type * as z from "zod";
import { decodeCursor } from "../store/cursor.ts";
import { ValidationFailed } from "./errors.ts";

/**
 * The position that `next_cursor` of a query carries; undefined where none was sent.
 * @param query what the cursor is bound to. @throws ValidationFailed for a cursor of another query.
 */
export function pageCursor<S extends z.ZodType>(
  cursor: string | null | undefined,
  query: string,
  position: S,
): z.output<S> | undefined {
  const found = cursor ? decodeCursor(cursor, query, position) : undefined;
  if (cursor && found === undefined) throw ValidationFailed.at(["query", "next_cursor"], "Not a cursor of this query");
  return found;
}
