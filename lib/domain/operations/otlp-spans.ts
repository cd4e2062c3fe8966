import * as z from "zod";

/** The log line of a span (docs/tracing.md), as far as an export needs it. */
const spanLine = z.object({
  message: z.literal("span"),
  operation: z.string(),
  trace_id: z.string().regex(/^[\da-f]{32}$/),
  span_id: z.string().regex(/^[\da-f]{16}$/),
  parent_id: z.string().optional(),
  start_at: z.iso.datetime(),
  duration_ms: z.number().nonnegative(),
  outcome: z.enum(["ok", "failed"]),
  status: z.number().int().optional(),
  request_id: z.string().optional(),
  message_id: z.string().optional(),
  event_id: z.string().optional(),
});
type SpanLine = z.output<typeof spanLine>;

/** Kinds of spans and the status of an error (opentelemetry-proto, trace.proto). */
const [SERVER, CONSUMER, INTERNAL] = [2, 5, 1];
const STATUS_ERROR = 2;

const attribute = (key: string, value: string | number) => ({
  key,
  value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value },
});
const attributes = (values: Readonly<Record<string, string | number | undefined>>) =>
  Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [attribute(key, value)]));

/** Nanoseconds since the epoch as OTLP writes 64-bit numbers in JSON. */
const toUnixNano = (ms: number) => String(BigInt(Math.round(ms * 1_000)) * 1_000n);

function kindOf({ status, message_id, event_id }: SpanLine): number {
  if (status !== undefined) return SERVER;
  return message_id === undefined && event_id === undefined ? INTERNAL : CONSUMER;
}

function toSpan(line: SpanLine) {
  const startMs = Date.parse(line.start_at);
  const { request_id, message_id, event_id, status } = line;
  return {
    traceId: line.trace_id,
    spanId: line.span_id,
    ...(line.parent_id === undefined ? {} : { parentSpanId: line.parent_id }),
    name: line.operation,
    kind: kindOf(line),
    startTimeUnixNano: toUnixNano(startMs),
    endTimeUnixNano: toUnixNano(startMs + line.duration_ms),
    attributes: attributes({
      "http.response.status_code": status,
      "faas.invocation_id": request_id,
      "messaging.message.id": message_id ?? event_id,
    }),
    status: line.outcome === "failed" ? { code: STATUS_ERROR } : {},
  };
}

function parseLine(text: string): SpanLine | undefined {
  try {
    return spanLine.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/**
 * Converts log lines to the JSON body of an OTLP request (OTLP specification 1.x, "JSON Protobuf Encoding").
 * @returns undefined if no line describes a span.
 */
export function toOtlpRequest(serviceName: string, lines: readonly string[]): object | undefined {
  const spans = lines.flatMap((text) => parseLine(text) ?? []).map(toSpan);
  if (spans.length === 0) return undefined;
  const resource = { attributes: attributes({ "service.name": serviceName }) };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "tributary" }, spans }] }] };
}
