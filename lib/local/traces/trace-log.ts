import { parseSpanLine, type RecordedSpan } from "./recorded-span.ts";

/** A trace: its spans in the order of their starts. */
export interface RecordedTrace {
  readonly trace_id: string;
  readonly spans: readonly RecordedSpan[];
}

/** Stored traces, and stored spans of one trace. The oldest traces and further spans are dropped. */
const [MAX_TRACES, MAX_SPANS] = [2_000, 1_000];

/** The newest traces of the local service, from the log lines of its functions. A restart forgets them. */
export class TraceLog {
  readonly #traces = new Map<string, RecordedSpan[]>();

  /** Reads a log line. Ignores lines that do not describe a span. */
  take(line: string): void {
    const span = parseSpanLine(line);
    if (!span) return;
    const spans = this.#traces.get(span.trace_id) ?? [];
    if (spans.length < MAX_SPANS) spans.push(span);
    this.#traces.set(span.trace_id, spans);
    const [oldest] = this.#traces.keys();
    if (this.#traces.size > MAX_TRACES && oldest !== undefined) this.#traces.delete(oldest);
  }

  /** Returns the newest traces, the newest first. */
  list(limit: number): RecordedTrace[] {
    return [...this.#traces]
      .slice(-limit)
      .reverse()
      .map(([trace_id, spans]) => ({ trace_id, spans: inOrder(spans) }));
  }

  /** Finds a trace. @param id that of the trace, or of a request or message in it. */
  find(id: string): RecordedTrace | undefined {
    const own = this.#traces.get(id);
    if (own) return { trace_id: id, spans: inOrder(own) };
    const isNamed = ({ request_id, message_id }: RecordedSpan) => request_id === id || message_id === id;
    for (const [trace_id, spans] of this.#traces) if (spans.some(isNamed)) return { trace_id, spans: inOrder(spans) };
    return undefined;
  }
}

const inOrder = (spans: readonly RecordedSpan[]) => spans.toSorted((a, b) => (a.start_at < b.start_at ? -1 : 1));
