import { ingestionBounds } from "../../../lib/domain/ingest/ingestion-bounds.ts";
import type { AcceptedSummary } from "../../../lib/domain/summaries/summary-kind.ts";
import { findSummaryKind } from "../../../lib/domain/summaries/summary-kinds.ts";
import type { SummaryName } from "../../../lib/domain/summaries/summary-names.ts";

/** Accepts a summary received on 2026-01-10 for a user with ingestion from 2026-01-01 on. */
export const acceptSummary = (name: SummaryName, raw: unknown, timeZone = "UTC") =>
  findSummaryKind(name)!.accept(raw, {
    receivedAt: Date.UTC(2026, 0, 10),
    bounds: ingestionBounds("2026-01-01", null, timeZone),
  });

/** Accepts a valid summary. @throws Error when it is rejected. */
export function acceptValidSummary(name: SummaryName, raw: unknown, timeZone?: string): AcceptedSummary {
  const result = acceptSummary(name, raw, timeZone);
  if ("reason" in result) throw new Error(result.reason);
  return result.ok;
}
