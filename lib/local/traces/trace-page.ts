import type { RecordedTrace } from "./trace-log.ts";
import { arrangeWaterfall, describeOutcome, type WaterfallRow } from "./waterfall.ts";

const [NAME_WIDTH, BAR_AREA, ROW_HEIGHT, PADDING] = [380, 620, 24, 16];

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const toHtml = (text: string) => text.replace(/[&<>"]/g, (found) => entities[found] ?? found);

const page = (title: string, content: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${toHtml(title)}</title></head>` +
  `<body><h1>${toHtml(title)}</h1>${content}</body></html>`;

/** Renders the list of the newest traces as HTML without scripts and styles. */
export function renderTraceList(traces: readonly RecordedTrace[]): string {
  const items = traces.map(({ trace_id, spans }) => {
    const [first] = spans;
    const about = `${first?.start_at} ${first?.operation} ${first && describeOutcome(first)}, ${spans.length} spans`;
    return `<li><a href="/_local/traces/page?id=${encodeURIComponent(trace_id)}">${toHtml(about)}</a></li>`;
  });
  return page("Traces", items.length > 0 ? `<ul>${items.join("")}</ul>` : "<p>No function has run yet.</p>");
}

/** Renders a trace as a waterfall: HTML with an inline drawing. */
export function renderTrace(trace: RecordedTrace): string {
  const { rows, durationMs } = arrangeWaterfall(trace);
  const width = NAME_WIDTH + BAR_AREA + 2 * PADDING;
  const height = rows.length * ROW_HEIGHT + 2 * PADDING;
  const drawn = rows.map((row, place) => drawRow(row, place, BAR_AREA / Math.max(durationMs, 1))).join("");
  const drawing =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" ` +
    `font-size="13" role="img" aria-label="Waterfall of ${rows.length} spans">${drawn}</svg>`;
  const back = '<p><a href="/_local/traces/page">All traces</a></p>';
  return page(
    `Trace ${trace.trace_id}`,
    `<p>${rows.length} spans in ${Math.round(durationMs)} ms</p>${drawing}${back}`,
  );
}

function drawRow({ span, depth, startMs }: WaterfallRow, place: number, scale: number): string {
  const y = PADDING + place * ROW_HEIGHT;
  const x = NAME_WIDTH + PADDING + startMs * scale;
  const width = Math.max(2, span.duration_ms * scale);
  const color = span.outcome === "ok" ? "#2563eb" : "#dc2626";
  const ids = `${span.start_at}, span ${span.span_id}, ${span.request_id ?? span.message_id ?? ""}`;
  const label = `${span.operation} ${describeOutcome(span)}, ${span.duration_ms} ms`;
  return (
    `<g><title>${toHtml(ids)}</title><text x="${PADDING + depth * 16}" y="${y + 16}">${toHtml(label)}</text>` +
    `<rect x="${x.toFixed(1)}" y="${y + 5}" width="${width.toFixed(1)}" height="14" fill="${color}"/></g>`
  );
}
