import type { Json } from "./json-path.ts";

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Parses an RFC 3339 timestamp as the States Language requires it, to epoch ms. Undefined for any other value. */
export function parseTimestamp(value: Json | undefined): number | undefined {
  if (typeof value !== "string" || !RFC_3339.test(value)) return undefined;
  const instant = Date.parse(value);
  return Number.isNaN(instant) ? undefined : instant;
}
