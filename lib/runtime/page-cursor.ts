import type * as z from "zod";
import type { EndpointContract } from "../contract/endpoint.ts";
import { decodeCursor, encodeCursor } from "../store/cursor.ts";
import type { TeamScope } from "../store/team-scope.ts";
import { ValidationFailed } from "./errors.ts";

/** The fields in which requests carry cursors. */
export const cursorFields: readonly string[] = ["next_cursor", "cursor", "next_token"];
/** The fields that say how long a page is, which may change from one page to the next. */
const sizeFields: readonly string[] = ["limit", "page_size", "user_limit", "lab_test_limit"];

/** Reads and writes the cursors of one list, which belong to all that tells this question from others. */
export class PageCursor {
  readonly #bound: () => string;

  /** @param bound is called by lists alone: of most requests nobody wants a cursor. */
  constructor(bound: () => string) {
    this.#bound = bound;
  }

  /**
   * The position that a cursor carries; undefined where none, or an empty one, was sent.
   * @param at where the cursor stands in the request. @throws ValidationFailed for anything but a cursor of this list.
   */
  read<S extends z.ZodType>(
    cursor: string | null | undefined,
    position: S,
    at: readonly string[] = ["query", "next_cursor"],
  ): z.output<S> | undefined {
    if (cursor === undefined || cursor === null || cursor === "") return undefined;
    const found = decodeCursor(cursor, this.#bound(), position);
    if (found === undefined) throw foreignCursor(at);
    return found;
  }

  write(position: readonly (string | number)[]): string {
    return encodeCursor(position, this.#bound());
  }
}

/** The cursor of a query that has two names for it, and where it stands. */
export function eitherCursor({
  next_cursor,
  cursor,
}: {
  next_cursor?: string | undefined;
  cursor?: string | undefined;
}) {
  return next_cursor ? { cursor: next_cursor, at: ["query", "next_cursor"] } : { cursor, at: ["query", "cursor"] };
}

/** The answer to a cursor that this list has not given. */
export const foreignCursor = (at: readonly string[] = ["query", "next_cursor"]) =>
  ValidationFailed.at(at, "Not a cursor of this query");

/** What a request says of whom and for what it asks. */
interface Asked {
  readonly caller: { readonly scope?: TeamScope; readonly key?: { readonly org_id: string } } | undefined;
  readonly input: { readonly params?: unknown; readonly query?: unknown; readonly body?: unknown } | undefined;
}

/** The cursors of the list that a request asks for: of this operation, caller, path, query and body alone. */
export function cursorsOf({ operationId }: Pick<EndpointContract, "operationId">, { caller, input }: Asked) {
  const owner = caller?.scope?.teamId ?? caller?.key?.org_id ?? "";
  const { params, query, body } = input ?? {};
  return new PageCursor(() => JSON.stringify([operationId, owner, params, boundPart(query), boundPart(body)]));
}

const isBound = ([name]: [string, unknown]) => !cursorFields.includes(name) && !sizeFields.includes(name);
const boundPart = (part: unknown) => Object.fromEntries(Object.entries(Object(part)).filter(isBound));
