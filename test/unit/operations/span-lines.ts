const [TRACE, ROUTE] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];

/** The log lines of a route and of the consumer that it causes. */
export const spanLines: readonly string[] = [
  {
    ...{ message: "span", operation: "ingestBatch", request_id: "request-1", trace_id: TRACE, span_id: ROUTE },
    ...{ start_at: "2026-05-01T08:00:00.123Z", duration_ms: 12.5, outcome: "ok", status: 202 },
  },
  {
    ...{ message: "span", operation: "storeBatch", message_id: "message-1", trace_id: TRACE, parent_id: ROUTE },
    ...{ span_id: "b7ad6b7169203331", start_at: "2026-05-01T08:00:00.140Z", duration_ms: 3, outcome: "failed" },
  },
].map((line) => JSON.stringify(line));
