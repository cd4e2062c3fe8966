import { linkTokenHeaders } from "../../contract/compatibility.ts";
import { authenticationAccess } from "../../contract/endpoint.ts";
import { sha256 } from "../../crypto/api-key.ts";
import type { LinkErrorType } from "../../domain/connections/link/link-errors.ts";
import { type LinkToken, type linkToken, linkTokenStateOf } from "../../domain/connections/link/link-token.ts";
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

/** Why a link token cannot connect a provider, in the words of the link flow. */
export interface LinkTokenRefusal {
  readonly error_type: LinkErrorType;
  readonly error: string;
}

const unknown: LinkTokenRefusal = { error_type: "invalid_token", error: "The link token is not valid." };
const ended: Readonly<Record<"connected" | "expired", LinkTokenRefusal>> = {
  connected: { error_type: "token_consumed", error: "The link token was already used for a connection." },
  expired: { error_type: "token_expired", error: "The link token has expired." },
};

/**
 * Authenticates the link token in the headers. Its key, team and user are valid.
 * @param acceptsEnded also accepts a token that was used or has expired. @throws Unauthorized.
 */
export async function authenticateLink(
  headers: Readonly<Record<string, string | undefined>>,
  acceptsEnded = false,
): Promise<LinkCaller> {
  const header = linkTokenHeaders.find((name) => headers[name] !== undefined);
  if (header === undefined) {
    throw new Unauthorized({
      error_type: "MISSING_LINK_TOKEN",
      error: `The header ${linkTokenHeaders[0]} is missing.`,
    });
  }
  const deps = await resolveDependencies(authenticationAccess.link);
  if (!acceptsEnded) return openLinkToken(headers[header] ?? "", deps);
  const caller = await findLinkCaller(headers[header] ?? "", deps);
  if (!caller) throw new Unauthorized({ ...unknown });
  return caller;
}

export interface LinkTokenDependencies extends CredentialValidityDependencies {
  readonly linkTokens: OneTimeTokenStore<typeof linkToken>;
}

/** Authenticates a link token, from any part of the request. @throws Unauthorized for one that cannot connect. */
export async function openLinkToken(text: string, deps: LinkTokenDependencies): Promise<LinkCaller> {
  const found = requireOpenLink(await findLinkCaller(text, deps));
  if ("error_type" in found) throw new Unauthorized({ ...found });
  return found;
}

/**
 * Finds the caller of a link token in any state; undefined if it is unknown or its key, team or user is not valid.
 * @param only the team that may see the token. Nothing of another team is read.
 */
export async function findLinkCaller(
  text: string,
  deps: LinkTokenDependencies,
  only?: TeamScope,
): Promise<LinkCaller | undefined> {
  const tokenHash = sha256(text);
  const token = await deps.linkTokens.get(tokenHash);
  if (!token || (only && token.team_id !== only.teamId)) return undefined;
  const team = await findTeamOfValidCredential(token, deps);
  if (!team) return undefined;
  return { scope: TeamScope.grant(team.team_id), team, token, keyId: token.key_id, tokenHash };
}

/** Returns the caller of a link token that can still connect a provider, otherwise why it cannot. */
export function requireOpenLink(caller: LinkCaller | undefined): LinkCaller | LinkTokenRefusal {
  if (!caller) return unknown;
  const state = linkTokenStateOf(caller.token, isoNow());
  return state === "pending" ? caller : ended[state];
}
