import { EgressRefused, resolveForEgress } from "./egress.ts";
import { ValidationFailed } from "./errors.ts";

/** @throws ValidationFailed when webhooks may not be sent to the URL of the body. */
export async function requireReachable(url: string): Promise<void> {
  try {
    await resolveForEgress(new URL(url));
  } catch (error) {
    const reason = error instanceof EgressRefused ? error.message : "the host can not be resolved";
    throw ValidationFailed.at(["body", "url"], `Not a URL that webhooks can be sent to: ${reason}`);
  }
}
