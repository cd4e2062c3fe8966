import type { PulledProvider } from "../../../connectors/connector.ts";
import { findPulledProvider } from "../../../connectors/connectors.ts";
import { PermanentError } from "../../../runtime/errors.ts";

/** Requires the connector of a pull. @throws PermanentError without one, since a repeated message cannot succeed. */
export async function requirePulledProvider(provider: string): Promise<PulledProvider> {
  const connector = await findPulledProvider(provider);
  if (!connector) throw new PermanentError("no connector exists for this provider");
  return connector;
}
