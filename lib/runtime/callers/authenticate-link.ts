import { linkTokenHeaders } from "../../contract/compatibility.ts";
import { authenticationAccess } from "../../contract/endpoint.ts";
import { sha256 } from "../../crypto/api-key.ts";
import type { LinkErrorType } from "../../domain/connections/link/link-errors.ts";
import type { LinkToken, linkToken } from "../../domain/connections/link/link-token.ts";
import type { Team } from "../../domain/management/records.ts";
import type { OneTimeTokenStore } from "../../store/connections/one-time-tokens.ts";
import { TeamScope } from "../../store/team-scope.ts";
import { resolveDependencies } from "../dependencies.ts";
import { Unauthorized } from "../errors.ts";
import { isoNow } from "../ports.ts";
import { type CredentialValidityDependencies, findTeamOfValidCredential } from "./credential-validity.ts";

/** A caller with a link token, who connects providers for the user of the token. */
export interface LinkCaller {
  readonly scope: TeamScope;
  readonly team: Team;
  readonly token: LinkToken;
  /** The API key that created the token, if recorded. */
  readonly keyId?: string | undefined;
  /** SHA-256 of the token, its key in the store. */
  readonly tokenHash: string;
}

const refused = (error_type: LinkErrorType | "MISSING_LINK_TOKEN", error: string) =>
  new Unauthorized({ error_type, error });

/** @throws Unauthorized unless the headers carry an unexpired, unused link token whose key, team and user are valid. */
export async function authenticateLink(headers: Readonly<Record<string, string | undefined>>): Promise<LinkCaller> {
  const header = linkTokenHeaders.find((name) => headers[name] !== undefined);
  if (header === undefined) throw refused("MISSING_LINK_TOKEN", `The header ${linkTokenHeaders[0]} is missing.`);
  return openLinkToken(headers[header] ?? "", await resolveDependencies(authenticationAccess.link));
}

interface GrantedDependencies extends CredentialValidityDependencies {
  readonly linkTokens: OneTimeTokenStore<typeof linkToken>;
}

/** Authenticates a link token, from any part of the request. @throws Unauthorized as {@link authenticateLink}. */
export async function openLinkToken(text: string, deps: GrantedDependencies): Promise<LinkCaller> {
  const tokenHash = sha256(text);
  const token = await deps.linkTokens.get(tokenHash);
  const team = token && (await findTeamOfValidCredential(token, deps));
  if (!token || !team) throw refused("invalid_token", "The link token is not valid.");
  if (token.used_at !== undefined) throw refused("token_consumed", "The link token was already used for a connection.");
  if (token.ends_at <= isoNow()) throw refused("token_expired", "The link token has expired.");
  return { scope: TeamScope.grant(team.team_id), team, token, keyId: token.key_id, tokenHash };
}
