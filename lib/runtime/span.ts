import { AsyncLocalStorage } from "node:async_hooks";
import { formatTraceparent, parseTraceparent, type TraceContext } from "../domain/shared/traceparent.ts";
import type { Log, LogFields } from "./log.ts";
import { isoNow, ports } from "./ports.ts";

const current = new AsyncLocalStorage<Span>();
const randomHex = (bytes: number) => ports().ids.bytes(bytes).toString("hex");

/**
 * The part of a trace that one function does for one request, message or scheduled run (docs/tracing.md). It ends with
 * one log line and makes no request.
 */
export class Span {
  readonly context: TraceContext;
  readonly #parentId: string | undefined;
  readonly #startAt = isoNow();
  readonly #started = performance.now();

  /** @param traceparent that of the caller. Without a valid one, a new trace begins. */
  constructor(traceparent = "") {
    const parent = parseTraceparent(traceparent);
    this.context = { isSampled: true, traceId: randomHex(16), ...parent, spanId: randomHex(8) };
    this.#parentId = parent?.spanId;
  }

  /** Does a part of the span's work. Requests and messages that it sends name the span as their parent. */
  run<T>(work: () => T): T {
    return current.run(this, work);
  }

  /** Logs the end of the span, unless the caller asks not to record the trace. */
  end(log: Log, outcome: "ok" | "failed", fields: LogFields = {}): void {
    const { spanId: span_id, isSampled } = this.context;
    if (!isSampled) return;
    const duration_ms = Math.round((performance.now() - this.#started) * 10) / 10;
    log.info("span", { span_id, parent_id: this.#parentId, start_at: this.#startAt, duration_ms, outcome, ...fields });
  }

  /** Does all of the span's work and logs its end. */
  async record<T>(log: Log, work: () => Promise<T>): Promise<T> {
    try {
      const result = await this.run(work);
      this.end(log, "ok");
      return result;
    } catch (error) {
      this.end(log, "failed");
      throw error;
    }
  }
}

/** Does work that belongs to several traces, and thus to none. */
export const outsideOfSpans = <T>(work: () => T): T => current.exit(work);

/** The `traceparent` of what the current code sends; undefined outside of a span. */
export function currentTraceparent(): string | undefined {
  const span = current.getStore();
  return span && formatTraceparent(span.context);
}

/**
 * The `traceparent` of what is sent about an event: that of the current span if the span is in the trace of the event,
 * else that of the event itself.
 * @param origin `traceparent` of the run that stored the event; undefined for an event of an earlier version.
 */
export function continueTrace(origin: string | undefined): string | undefined {
  const now = currentTraceparent();
  if (origin === undefined || now === undefined) return origin ?? now;
  return parseTraceparent(origin)?.traceId === parseTraceparent(now)?.traceId ? now : origin;
}
