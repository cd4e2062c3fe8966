import type { SimulatedReply } from "../base/simulated-http.ts";

/** The error format of the API. */
export function googleError(code: number, status: string, message: string): SimulatedReply {
  return { status: code, body: { error: { code, message, status } } };
}
