import type * as z from "zod";
import { dropBadFields } from "../domain/ingest/drop-bad-fields.ts";
import { fieldName } from "../domain/ingest/field-name.ts";
import type { DroppedField } from "../domain/ingest/refusal.ts";
import { ProviderUnavailable } from "./provider-error.ts";

/** A dropped field. `missing` is the absent field without which it is invalid, if there is one. */
export interface ReportedField extends DroppedField {
  readonly missing?: string;
}

/** Called with the fields that were dropped because they violate the provider's documented schema. */
export type DroppedFieldListener = (dropped: readonly ReportedField[]) => void;

const invalidFields = (schema: z.ZodType, payload: unknown): string[] =>
  schema.safeParse(payload).error?.issues.map(({ path }) => fieldName(schema, path)) ?? [];

/** Adds the names of absent fields to the fields that were dropped because of them. */
function nameMissing(schema: z.ZodType, payload: unknown, dropped: readonly DroppedField[]): ReportedField[] {
  const names = invalidFields(schema, payload);
  return dropped.map((one) => {
    const missing = names.find((name) => name.startsWith(`${one.field}.`));
    return missing === undefined ? one : { ...one, missing };
  });
}

/**
 * Reads one record and reports what it drops, with a dropped record under its name.
 * @returns undefined if nothing valid remains.
 */
export function readRecord<S extends z.ZodType>(
  payload: unknown,
  schema: S,
  name: string,
  onDropped?: DroppedFieldListener,
): z.output<S> | undefined {
  const read = dropBadFields(schema, payload, { isEssential: () => false });
  if ("refusal" in read) {
    const field = invalidFields(schema, payload).find((one) => one !== "");
    const missing = field === undefined ? {} : { missing: `${name}.${field}` };
    onDropped?.([{ field: name, reason: read.refusal.reason, ...missing }]);
    return undefined;
  }
  const dropped = nameMissing(schema, payload, read.dropped);
  const named = dropped.map(({ missing, ...one }) => ({
    ...one,
    field: `${name}.${one.field}`,
    ...(missing === undefined ? {} : { missing: `${name}.${missing}` }),
  }));
  if (named.length > 0) onDropped?.(named);
  return read.data;
}

/** Parses a push and drops fields that violate the schema. @throws SyntaxError if nothing valid remains. */
export function readPushTolerantly<S extends z.ZodType>(
  body: string,
  schema: S,
  onDropped?: DroppedFieldListener,
): z.output<S> {
  const payload: unknown = JSON.parse(body);
  const read = dropBadFields(schema, payload, { isEssential: () => false });
  if ("refusal" in read) throw new SyntaxError("the push does not match the expected schema");
  if (read.dropped.length > 0) onDropped?.(nameMissing(schema, payload, read.dropped));
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
  payload: unknown,
  schema: S,
  onDropped?: DroppedFieldListener,
): z.output<S> {
  const read = dropBadFields(schema, payload, { isEssential: isPaginationField });
  if ("refusal" in read) throw new ProviderUnavailable("the response does not match the expected schema");
  if (read.dropped.length > 0) onDropped?.(nameMissing(schema, payload, read.dropped));
  return read.data;
}
