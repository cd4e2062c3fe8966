import * as z from "zod";

/**
 * A string with known values. Any string passes, so a value added later breaks no reader. The OpenAPI document lists
 * the known values as `x-known-values`.
 * @example openEnum(["phone", "watch"])
 */
export function openEnum(known: readonly string[]): z.ZodString {
  return z.string().meta({ "x-known-values": [...known] });
}
