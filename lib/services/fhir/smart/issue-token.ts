import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JWTPayload, jwtVerify } from "jose";
import { getItem, putItem } from "../../../contract/access.ts";
import { fhirClients, keys, teams } from "../../../contract/resources.ts";
import { generateApiKey, sha256 } from "../../../crypto/api-key.ts";
import {
  assertionAlgorithms,
  coversScope,
  type FhirClient,
  MAX_ASSERTION_S,
  parseClientTeam,
  TOKEN_LIFETIME_S,
} from "../../../domain/fhir/smart/fhir-client.ts";
import type { Team } from "../../../domain/management/records.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import type { Log } from "../../../runtime/log.ts";
import { isoNow, ports } from "../../../runtime/ports.ts";
import { TeamScope } from "../../../store/team-scope.ts";
import { fetchJwks } from "./fetch-jwks.ts";
import { tokenUrl } from "./token-url.ts";

/** Grants of {@link issueToken}. */
export const issueTokenAccess = [getItem(teams), getItem(fhirClients), putItem(fhirClients), putItem(keys)] as const;

type TokenDependencies = Dependencies<"teams" | "fhirClients" | "keys" | "commit">;

/** Codes of errors of a token request (RFC 6749, section 5.2). */
type TokenErrorCode = "invalid_request" | "invalid_client" | "invalid_scope" | "unsupported_grant_type";

/** A token request that is refused. The message is for the developer of the client. */
export class TokenRefused extends Error {
  override readonly name = "TokenRefused";
  readonly code: TokenErrorCode;

  constructor(code: TokenErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const ASSERTION_RULE =
  "client_assertion needs a key of the client, RS384 or ES384, and valid iss, sub, aud, exp and jti";
/** Difference of clocks that is allowed, seconds. */
const CLOCK_SKEW_S = 30;
/** Maximum length of the id of an assertion. */
const MAX_JTI_LENGTH = 256;

/**
 * Issues an access token to a client that proves its identity with a signed assertion (SMART App Launch 2.2, Backend
 * Services). An assertion works once.
 * @throws TokenRefused
 */
export async function issueToken(form: URLSearchParams, deps: TokenDependencies, log: Log) {
  if (form.get("grant_type") !== "client_credentials")
    throw new TokenRefused("unsupported_grant_type", "grant_type must be client_credentials");
  if (form.get("client_assertion_type") !== ASSERTION_TYPE)
    throw new TokenRefused("invalid_request", `client_assertion_type must be ${ASSERTION_TYPE}`);
  const assertion = form.get("client_assertion") ?? "";
  const { client, team, kid } = await findClient(assertion, deps);
  const { jti = "", exp = 0 } = await verifyAssertion(assertion, client, kid, log);
  const scopes = grantScopes(form.get("scope"), client);
  const scope = TeamScope.grant(team.team_id);
  const isFirst = await deps.fhirClients.useAssertion(scope, sha256(`${client.client_id} ${jti}`), exp + CLOCK_SKEW_S);
  if (!isFirst) throw new TokenRefused("invalid_client", "The jti was used before");
  const { key: access_token, ...kept } = generateApiKey("at", ports().ids.bytes);
  const about = { kind: "access_token" as const, label: "", created_at: isoNow(), made_by: client.made_by, scopes };
  const expires_at = Math.floor(ports().clock.now() / 1000) + TOKEN_LIFETIME_S;
  const owner = { org_id: team.org_id, team_ids: [team.team_id] };
  await deps.commit(deps.keys.createItems({ ...kept, ...about, ...owner, expires_at }));
  return { access_token, token_type: "bearer" as const, expires_in: TOKEN_LIFETIME_S, scope: scopes.join(" ") };
}

/** Finds the client that an assertion claims to be of. Nothing of the assertion is trusted yet. */
async function findClient(
  assertion: string,
  { teams, fhirClients }: TokenDependencies,
): Promise<{ client: FhirClient; team: Team; kid: string }> {
  const { iss = "", kid } = readClaims(assertion);
  const teamId = parseClientTeam(iss);
  const team = teamId === undefined ? undefined : await teams.get(teamId);
  const client = team && (await fhirClients.get(TeamScope.grant(team.team_id), iss));
  if (!client) throw new TokenRefused("invalid_client", "iss is not the id of a client");
  if (kid === undefined) throw new TokenRefused("invalid_client", "The header kid is missing");
  return { client, team, kid };
}

function readClaims(assertion: string): { iss?: string | undefined; kid: string | undefined } {
  try {
    const { kid } = decodeProtectedHeader(assertion);
    return { iss: decodeJwt(assertion).iss, kid };
  } catch {
    throw new TokenRefused("invalid_client", "client_assertion is not a signed JSON Web Token");
  }
}

/** @throws TokenRefused unless a key of the client signed the assertion for this endpoint and it is valid now. */
async function verifyAssertion(assertion: string, client: FhirClient, kid: string, log: Log): Promise<JWTPayload> {
  const { keys } = client.jwks ?? (await loadKeys(client, kid, log));
  const nowMs = ports().clock.now();
  const { client_id: id } = client;
  const demands = { issuer: id, subject: id, audience: tokenUrl(), requiredClaims: ["exp", "jti"] };
  const clock = { currentDate: new Date(nowMs), clockTolerance: CLOCK_SKEW_S };
  const { payload } = await jwtVerify(assertion, createLocalJWKSet({ keys: [...keys] as never }), {
    ...demands,
    ...clock,
    algorithms: [...assertionAlgorithms],
  }).catch(() => {
    throw new TokenRefused("invalid_client", ASSERTION_RULE);
  });
  if ((payload.exp ?? 0) > nowMs / 1000 + MAX_ASSERTION_S + CLOCK_SKEW_S)
    throw new TokenRefused("invalid_client", "exp is more than five minutes from now");
  if (typeof payload.jti !== "string" || payload.jti === "" || payload.jti.length > MAX_JTI_LENGTH)
    throw new TokenRefused("invalid_client", "jti is not a text of 1 to 256 characters");
  return payload;
}

async function loadKeys({ jwks_url = "" }: FhirClient, kid: string, log: Log) {
  try {
    return await fetchJwks(jwks_url, kid);
  } catch {
    log.warn("the keys of a client could not be read");
    throw new TokenRefused("invalid_client", "The keys of the client could not be read from its jwks_url");
  }
}

/** The requested scopes that the client has. @throws TokenRefused if it has none of them. */
function grantScopes(requested: string | null, { scopes }: FhirClient): string[] {
  const wanted = (requested ?? "").split(" ").filter((one) => one !== "");
  const granted = [...new Set(wanted)].filter((one) => coversScope(scopes, one));
  if (granted.length === 0) throw new TokenRefused("invalid_scope", "scope names no scope of the client");
  return granted;
}
