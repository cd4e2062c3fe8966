import { portalSessionHeader } from "../../contract/compatibility.ts";
import { authenticationAccess } from "../../contract/endpoint.ts";
import { sha256 } from "../../crypto/api-key.ts";
import { resolveDependencies } from "../dependencies.ts";
import { Unauthorized } from "../errors.ts";
import { type LinkCreator, requireLiveLink } from "./credential-validity.ts";

/** A caller of the webhook portal: a team, through a link that one of its API keys or sessions requested. */
export type PortalCaller = LinkCreator;

/** @throws Unauthorized unless the headers carry the secret of an unexpired link with valid parents. */
export async function authenticatePortal(headers: Readonly<Record<string, string | undefined>>): Promise<PortalCaller> {
  const secret = headers[portalSessionHeader];
  if (!secret) throw new Unauthorized(`The header ${portalSessionHeader} is missing.`);
  const { portalSessions, ...deps } = await resolveDependencies(authenticationAccess.portal);
  return (await requireLiveLink(await portalSessions.get(sha256(secret)), deps)).creator;
}
