import * as z from "zod";

/**
 * A string of which some values are known today. Any string passes, so a value added later breaks no reader;
 * the known ones are documented in the OpenAPI document as `x-known-values`.
 *
 * @example openEnum(["phone", "watch"])
 */
export function openEnum(known: readonly string[]): z.ZodString {
  return z.string().meta({ "x-known-values": [...known] });
}
