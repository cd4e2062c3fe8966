import type * as z from "zod";
import { dropBadFields } from "../domain/ingest/drop-bad-fields.ts";
import type { DroppedField } from "../domain/ingest/refusal.ts";
import { ProviderUnavailable } from "./provider-error.ts";

/** Called with the fields that were dropped because they violate the provider's documented schema. */
export type DroppedFieldListener = (dropped: readonly DroppedField[]) => void;

/** Parses a push and drops fields that violate the schema. @throws SyntaxError if nothing valid remains. */
export function readPushTolerantly<S extends z.ZodType>(
  body: string,
  schema: S,
  onDropped?: DroppedFieldListener,
): z.output<S> {
  const read = dropBadFields(schema, JSON.parse(body), { isEssential: () => false });
  if ("refusal" in read) throw new SyntaxError("the push does not match the expected schema");
  if (read.dropped.length > 0) onDropped?.(read.dropped);
  return read.data;
}

/** Names of pagination fields. They are essential: without them, later pages would be lost silently. */
const PAGINATION_FIELD = /^(?:more|offset|next|next_?token|next_?page.*|cursor|page|per_page|total|last.*page)$/i;

const isPaginationField = (path: readonly PropertyKey[]): boolean =>
  path.every((key) => typeof key !== "number") && PAGINATION_FIELD.test(String(path.at(-1)));

/**
 * Reads a response tolerantly: drops each field that violates the schema, or its record if the field is required, and
 * keeps everything else.
 * @throws ProviderUnavailable if nothing valid remains, or a pagination field is invalid.
 */
export function readTolerantly<S extends z.ZodType>(
  told: unknown,
  schema: S,
  onDropped?: DroppedFieldListener,
): z.output<S> {
  const read = dropBadFields(schema, told, { isEssential: isPaginationField });
  if ("refusal" in read) throw new ProviderUnavailable("the response does not match the expected schema");
  if (read.dropped.length > 0) onDropped?.(read.dropped);
  return read.data;
}
