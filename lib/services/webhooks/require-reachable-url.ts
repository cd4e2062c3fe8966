import { EgressRefused, resolveForEgress } from "../../runtime/egress.ts";
import { ValidationFailed } from "../../runtime/errors.ts";

/** @throws ValidationFailed if the URL of the body must not receive webhooks. */
export async function requireReachableUrl(url: string): Promise<void> {
  try {
    await resolveForEgress(new URL(url));
  } catch (error) {
    const reason = error instanceof EgressRefused ? error.message : "the host cannot be resolved";
    throw ValidationFailed.at(["body", "url"], `Webhooks cannot be sent to this URL: ${reason}`);
  }
}
