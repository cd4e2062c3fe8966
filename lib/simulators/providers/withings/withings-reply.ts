import type { SimulatedReply } from "../frame/simulated-http.ts";

/** Every answer of Withings is 200; whether it went well is in the body. */
export function withingsReply(status: number, content: object | string): SimulatedReply {
  return {
    status: 200,
    body: typeof content === "string" ? { status, body: {}, error: content } : { status, body: content },
  };
}
