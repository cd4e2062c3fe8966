import type * as z from "zod";
import type { EndpointContract } from "../../contract/endpoint.ts";
import { decodeCursor, encodeCursor } from "../../store/cursor.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { ValidationFailed } from "../errors.ts";

/** Request fields that carry cursors. */
export const cursorFields: readonly string[] = ["next_cursor", "cursor", "next_token"];
/** Request fields with a page size, which may change between pages. */
const sizeFields: readonly string[] = ["limit", "page_size", "user_limit", "lab_test_limit"];

/** Reads and writes the cursors of one list. A cursor is bound to its query and valid for no other. */
export class PageCursor {
  readonly #bound: () => string;

  /**
   * @param bound returns the text that identifies the query. Evaluated lazily, because most requests need no cursor.
   */
  constructor(bound: () => string) {
    this.#bound = bound;
  }

  /**
   * Returns the position of a cursor; undefined for a missing or empty cursor.
   * @param at location of the cursor in the request. @throws ValidationFailed for anything but a cursor of this list.
   */
  read<S extends z.ZodType>(
    cursor: string | null | undefined,
    position: S,
    at: readonly string[] = ["query", "next_cursor"],
  ): z.output<S> | undefined {
    if (cursor === undefined || cursor === null || cursor === "") return undefined;
    const found = decodeCursor(cursor, this.#bound(), position);
    if (found === undefined) throw invalidCursor(at);
    return found;
  }

  write(position: readonly (string | number)[]): string {
    return encodeCursor(position, this.#bound());
  }
}

/** Selects the cursor of a query that accepts two field names, and its location. */
export function selectCursor({
  next_cursor,
  cursor,
}: {
  next_cursor?: string | undefined;
  cursor?: string | undefined;
}) {
  return next_cursor ? { cursor: next_cursor, at: ["query", "next_cursor"] } : { cursor, at: ["query", "cursor"] };
}

/** Creates the error for a cursor of another query. */
export const invalidCursor = (at: readonly string[] = ["query", "next_cursor"]) =>
  ValidationFailed.at(at, "Not a cursor of this query");

/** The caller and input that a cursor is bound to. */
interface CursorOwner {
  readonly caller: { readonly scope?: TeamScope; readonly key?: { readonly org_id: string } } | undefined;
  readonly input: { readonly params?: unknown; readonly query?: unknown; readonly body?: unknown } | undefined;
}

/** Creates the cursors of a list. They are bound to operation, caller, path, query and body. */
export function createPageCursor(
  { operationId }: Pick<EndpointContract, "operationId">,
  { caller, input }: CursorOwner,
) {
  const owner = caller?.scope?.teamId ?? caller?.key?.org_id ?? "";
  const { params, query, body } = input ?? {};
  return new PageCursor(() => JSON.stringify([operationId, owner, params, boundPart(query), boundPart(body)]));
}

const isBound = ([name]: [string, unknown]) => !cursorFields.includes(name) && !sizeFields.includes(name);
const boundPart = (part: unknown) => Object.fromEntries(Object.entries(Object(part)).filter(isBound));
