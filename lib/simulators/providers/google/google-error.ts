import type { SimulatedReply } from "../frame/simulated-http.ts";

/** The provider's form of every refusal. */
export function googleError(code: number, status: string, message: string): SimulatedReply {
  return { status: code, body: { error: { code, message, status } } };
}
