import type * as z from "zod";
import { dropBadFields } from "../domain/drop-bad-fields.ts";
import type { DroppedField } from "../domain/dropped-field.ts";
import { ProviderUnavailable } from "./provider-error.ts";

/** What a push says, without the parts that are of another shape. @throws SyntaxError where nothing is left. */
export function readPushed<S extends z.ZodType>(body: string, schema: S): z.output<S> {
  const read = dropBadFields(schema, JSON.parse(body), { isEssential: () => false });
  if ("issue" in read) throw new SyntaxError("the push has another shape than expected");
  return read.data;
}

/** Names of what leads to further pages: without it the pages after this one would be lost in silence. */
const PAGING = /^(?:more|offset|next|next_?token|next_?page.*|cursor|page|per_page|total|last.*page)$/i;

const isPaging = (path: readonly PropertyKey[]): boolean =>
  path.every((key) => typeof key !== "number") && PAGING.test(String(path.at(-1)));

/**
 * What a provider told, in the shape that its documents say. What has another shape is left out of it: an odd field, else
 * the record that it is in, never what is beside that.
 * @throws ProviderUnavailable where nothing of that shape is left, or the way to further pages is not clear.
 */
export function readPublished<S extends z.ZodType>(
  told: unknown,
  schema: S,
  onDropped?: (dropped: readonly DroppedField[]) => void,
): z.output<S> {
  const read = dropBadFields(schema, told, { isEssential: isPaging });
  if ("issue" in read) throw new ProviderUnavailable("the answer has another shape than expected");
  if (read.dropped.length > 0) onDropped?.(read.dropped);
  return read.data;
}
