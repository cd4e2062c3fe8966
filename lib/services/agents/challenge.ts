import { AGENT_PATH } from "../../contract/agent-tool.ts";
import { baseUrl } from "../../runtime/wire-source.ts";

/** Path of the metadata of the endpoint for agents as a protected resource (RFC 9728, section 3.1). */
export const RESOURCE_METADATA_PATH = `/.well-known/oauth-protected-resource${AGENT_PATH}` as const;

/**
 * The `www-authenticate` header of a refusal (RFC 6750, section 3; RFC 9728, section 5.1).
 * @param lacking the scope that a valid credential lacks; absent for a credential that is missing or invalid.
 */
export function toChallenge(lacking?: string): string {
  const metadata = `resource_metadata="${baseUrl()}${RESOURCE_METADATA_PATH}"`;
  return lacking === undefined
    ? `Bearer ${metadata}, scope="read"`
    : `Bearer error="insufficient_scope", scope="${lacking}", ${metadata}`;
}
