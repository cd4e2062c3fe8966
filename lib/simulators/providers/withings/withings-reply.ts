import type { SimulatedReply } from "../base/simulated-http.ts";

/** Builds a reply. Withings always responds with 200; the body carries the status code. */
export function withingsReply(status: number, content: object | string): SimulatedReply {
  return {
    status: 200,
    body: typeof content === "string" ? { status, body: {}, error: content } : { status, body: content },
  };
}
