import { parseInUtc } from "../../domain/shared/instant.ts";
import type { FhirPeriod } from "./resources.ts";

/** Converts a date with its day to an ISO instant in UTC; a time without an offset counts as UTC. Null if it has no day. */
export function toInstant(text: string | undefined): string | null {
  if (text === undefined || text.length < "2026-01-01".length) return null;
  const ms = text.includes("T") ? parseInUtc(text) : Date.parse(text);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** The instant of an event with a time or a period, which counts from its start. */
export const startOf = (time: string | undefined, period: FhirPeriod | undefined): string | null =>
  toInstant(time) ?? toInstant(period?.start);
