import type { RecordedSpan } from "./recorded-span.ts";
import type { RecordedTrace } from "./trace-log.ts";

/** A span in the tree of its trace. */
export interface WaterfallRow {
  readonly span: RecordedSpan;
  /** 0 for a span whose parent is not in the trace, such as the first one. */
  readonly depth: number;
  /** Milliseconds from the start of the trace. */
  readonly startMs: number;
}

/** A trace as rows, each parent before its children, and its duration in milliseconds. */
export interface Waterfall {
  readonly rows: readonly WaterfallRow[];
  readonly durationMs: number;
}

/** Arranges the spans of a trace as a tree. */
export function arrangeWaterfall({ spans }: RecordedTrace): Waterfall {
  const ids = new Set(spans.map(({ span_id }) => span_id));
  const children = Map.groupBy(spans, ({ parent_id }) => (parent_id && ids.has(parent_id) ? parent_id : ""));
  const firstMs = Math.min(...spans.map(({ start_at }) => Date.parse(start_at)));
  const rowsBelow = (parent: string, depth: number): WaterfallRow[] =>
    (children.get(parent) ?? []).flatMap((span) => [
      { span, depth, startMs: Date.parse(span.start_at) - firstMs },
      ...rowsBelow(span.span_id, depth + 1),
    ]);
  const rows = rowsBelow("", 0);
  return { rows, durationMs: Math.max(0, ...rows.map(({ span, startMs }) => startMs + span.duration_ms)) };
}

const BAR_WIDTH = 40;

/** Formats a trace for a terminal, one line per span: name, start, duration, outcome, and a bar. */
export function formatWaterfall(trace: RecordedTrace): string {
  const { rows, durationMs } = arrangeWaterfall(trace);
  const nameOf = ({ span, depth }: WaterfallRow) => `${"  ".repeat(depth)}${span.operation}`;
  const width = Math.max(...rows.map((row) => nameOf(row).length));
  const lines = rows.map((row) => {
    const { span, startMs } = row;
    const times = `${`+${Math.round(startMs)}`.padStart(7)} ${span.duration_ms.toFixed(1).padStart(8)} ms`;
    return `${nameOf(row).padEnd(width)} ${times} ${describeOutcome(span).padEnd(6)} ${barOf(row, durationMs)}`;
  });
  return [`trace ${trace.trace_id}: ${rows.length} spans in ${Math.round(durationMs)} ms`, ...lines].join("\n");
}

/** The HTTP status of a route, and the outcome of anything else. */
export const describeOutcome = ({ status, outcome }: RecordedSpan): string => String(status ?? outcome);

function barOf({ span, startMs }: WaterfallRow, durationMs: number): string {
  const scale = BAR_WIDTH / Math.max(durationMs, 1);
  const before = Math.min(BAR_WIDTH - 1, Math.floor(startMs * scale));
  return (
    " ".repeat(before) + "=".repeat(Math.max(1, Math.min(BAR_WIDTH - before, Math.round(span.duration_ms * scale))))
  );
}
