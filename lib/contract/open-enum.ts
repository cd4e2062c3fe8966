import * as z from "zod";

/**
 * A string with known values. Any string passes, so a value added later breaks no reader. The OpenAPI document lists
 * the known values as `x-known-values`.
 * @example openEnum(["phone", "watch"])
 */
export function openEnum(known: readonly string[]): z.ZodString {
  return z.string().meta({ "x-known-values": [...known] });
}

/**
 * An {@link openEnum} of values that the service itself writes, typed as the known values. The schema still accepts any
 * string: a newer version of the service may have written a value that this version does not know.
 * @example typedOpenEnum(["pending", "scheduled"]) // z.output: "pending" | "scheduled"
 */
export function typedOpenEnum<const Value extends string>(known: readonly Value[]): z.ZodType<Value, Value> {
  return typed(openEnum(known));
}

/** {@link typedOpenEnum} for a field whose known values the OpenAPI document does not list. */
export function typedString<Value extends string>(): z.ZodType<Value, Value> {
  return typed(z.string());
}

// Narrows only the type: the service is the only writer, and TypeScript checks the values that it writes.
const typed = <Value extends string>(schema: z.ZodString) => schema as z.ZodType as z.ZodType<Value, Value>;
