import * as z from "zod";

/** The log line of a span, as functions write it (docs/tracing.md). */
export const recordedSpan = z.object({
  message: z.literal("span"),
  operation: z.string(),
  trace_id: z.string(),
  span_id: z.string(),
  parent_id: z.string().optional(),
  /** ISO 8601. */
  start_at: z.string(),
  duration_ms: z.number(),
  outcome: z.enum(["ok", "failed"]),
  /** HTTP status of a route. */
  status: z.number().optional(),
  request_id: z.string().optional(),
  message_id: z.string().optional(),
});
export type RecordedSpan = z.output<typeof recordedSpan>;

/** Parses a log line; undefined for a line of another kind. */
export function parseSpanLine(line: string): RecordedSpan | undefined {
  if (!line.includes('"message":"span"')) return undefined;
  try {
    return recordedSpan.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
