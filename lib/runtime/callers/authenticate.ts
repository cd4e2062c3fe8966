import { getItem, updateItem } from "../../contract/access.ts";
import { accessTokenHeader, labKeyHeader, managementKeyHeaders, teamKeyHeaders } from "../../contract/compatibility.ts";
import { keys, keyUses, teams } from "../../contract/resources.ts";
import { parseKeyId, verifyApiKey } from "../../crypto/api-key.ts";
import type { ConsoleSession } from "../../domain/console/console-session.ts";
import type { KeyRecord, Team } from "../../domain/management/records.ts";
import { TeamScope } from "../../store/team-scope.ts";
import { oncePerContainer } from "../container.ts";
import { resolveDependencies } from "../dependencies.ts";
import { Unauthorized } from "../errors.ts";
import { ports } from "../ports.ts";
import { authenticateConsole, type CredentialParts, findConsoleToken } from "./console/authenticate-console.ts";
import { isKeyExpired, isParentKeyValid } from "./credential-validity.ts";
import { IDENTITY_TTL_MS, MAX_CACHED_IDENTITIES, readThroughCache } from "./identity-cache.ts";
import type { OwnUser } from "./own-user.ts";

/** A team that calls with an API key, an access token, or a session of the console. */
export interface TeamCaller {
  readonly scope: TeamScope;
  readonly team: Team;
  readonly keyId: string;
  /** Scopes of the credential; undefined if it has full access. */
  readonly scopes?: readonly string[] | undefined;
  /** The session of a person in the console, who calls in place of the key. */
  readonly consoleSession?: ConsoleSession | undefined;
  /** The only user whose data the credential reads; undefined for all users of the team. */
  readonly ownUser?: OwnUser | undefined;
  /** The header that carried the credential. Some answers follow the header's dialect. */
  readonly header: string;
}
/** A laboratory that calls with its key. */
export interface LabCaller {
  /** The team that issued the key. */
  readonly scope: TeamScope;
  readonly team: Team;
  readonly keyId: string;
  /** The slug of the laboratory. */
  readonly lab: string;
}
/** An organisation that calls with a management key. */
export interface ManagementCaller {
  readonly key: KeyRecord;
  /** The session of a person in the console, who calls in place of the key. */
  readonly consoleSession?: ConsoleSession;
}

type Headers = Readonly<Record<string, string | undefined>>;
/** Keys whose last use was recorded within the last minute, with the end of that minute in epoch ms. */
const recordedUses = oncePerContainer(() => new Map<string, number>());

/** A presented credential, and the kinds of key that its header accepts. */
interface PresentedCredential {
  readonly header: string;
  readonly text: string;
  readonly kinds: readonly KeyRecord["kind"][];
}

/**
 * Authenticates a team by its API key, or else by the session of a person in the console, or else by its access token.
 * @param acceptsBearerKeys whether the bearer token may be an API key.
 * @throws Unauthorized unless the first of these that the request carries is valid, and its team exists.
 */
export async function authenticateTeam(
  { headers, cookies = [] }: Omit<CredentialParts, "rawPath">,
  acceptsBearerKeys = false,
): Promise<TeamCaller> {
  const hasKey = teamKeyHeaders.some((name) => headers[name] !== undefined);
  if (!hasKey && findConsoleToken({ headers, cookies })) return authenticateConsole({ headers, cookies });
  const { header, key } = await requireLiveKey(findTeamCredential(headers, acceptsBearerKeys));
  const team = await requireKeyTeam(key);
  const ownUser = key.user_id === undefined ? undefined : { user_id: key.user_id, made_at: key.created_at };
  return { scope: TeamScope.grant(team.team_id), team, keyId: key.key_id, scopes: key.scopes, header, ownUser };
}

/**
 * Finds the key or access token with this text, and its team.
 * @throws Unauthorized unless both are valid; for a token of one user, because a session reaches all users.
 */
export async function findTeamKey(text: string): Promise<{ readonly key: KeyRecord; readonly team: Team }> {
  const { key } = await requireLiveKey({ header: "", text, kinds: ["team", "access_token"] });
  if (key.user_id !== undefined) throw new Unauthorized("A token of one user opens no session of the console.");
  return { key, team: await requireKeyTeam(key) };
}

/** @throws Unauthorized unless the headers carry a valid key that a team issued to a laboratory. */
export async function authenticateLab(headers: Headers): Promise<LabCaller> {
  const { key } = await requireLiveKey(
    findCredential(headers, [labKeyHeader], ["lab"]) ?? rejectMissingHeader(labKeyHeader),
  );
  const team = await requireKeyTeam(key);
  return { scope: TeamScope.grant(team.team_id), team, keyId: key.key_id, lab: key.lab ?? "" };
}

async function requireKeyTeam(key: KeyRecord): Promise<Team> {
  const [teamId = ""] = key.team_ids;
  const team = await readThroughCache(`team ${teamId}`, async () =>
    (await resolveDependencies([getItem(teams)])).teams.get(teamId),
  );
  if (!team) throw new Unauthorized("The team of this key does not exist.");
  if (!(await isParentKeyValid(key, team))) throw new Unauthorized("The key is not valid for this interface.");
  return team;
}

/** @throws Unauthorized unless the headers carry a valid management key. */
export async function authenticateManagement(headers: Headers): Promise<ManagementCaller> {
  const presented = findCredential(headers, managementKeyHeaders, ["org_admin", "team_admin"]);
  const { key } = await requireLiveKey(presented ?? rejectMissingHeader(managementKeyHeaders[0]));
  return { key };
}

/** Returns the API key of a request, or else its access token. */
function findTeamCredential(headers: Headers, acceptsBearerKeys: boolean): PresentedCredential {
  const apiKey = findCredential(headers, teamKeyHeaders, ["team"]);
  if (apiKey) return apiKey;
  const bearer = /^Bearer (\S+)$/i.exec(headers[accessTokenHeader] ?? "")?.[1];
  if (bearer === undefined) return rejectMissingHeader(teamKeyHeaders[0]);
  return {
    header: accessTokenHeader,
    text: bearer,
    kinds: acceptsBearerKeys ? ["access_token", "team"] : ["access_token"],
  };
}

/** Returns the credential in the first of these headers that the request carries. */
function findCredential(
  headers: Headers,
  names: readonly string[],
  kinds: PresentedCredential["kinds"],
): PresentedCredential | undefined {
  const header = names.find((name) => headers[name] !== undefined);
  return header === undefined ? undefined : { header, text: headers[header] ?? "", kinds };
}

function rejectMissingHeader(header: string): never {
  throw new Unauthorized(`The header ${header} is missing.`);
}

/** Reads the presented key. @throws Unauthorized for a wrong hash or kind, or an expired or retired key. */
async function requireLiveKey({ header, text, kinds }: PresentedCredential) {
  const keyId = parseKeyId(text);
  const key =
    keyId &&
    (await readThroughCache(`key ${keyId}`, async () => (await resolveDependencies([getItem(keys)])).keys.get(keyId)));
  const isLive =
    key && verifyApiKey(text, key.sha256) && !isKeyExpired(key) && !key.retired_at && kinds.includes(key.kind);
  if (!isLive) throw new Unauthorized("The key is not valid for this interface.");
  recordLastUse(key);
  return { header, key };
}

/**
 * Records the last use of a managed key, at most once a minute per container. The request does not wait for the write.
 * If Lambda freezes the container before the write ends, the next use after a minute records it.
 */
function recordLastUse({ id, key_id }: KeyRecord): void {
  const now = ports().clock.now();
  const uses = recordedUses();
  if (id === undefined || (uses.get(key_id) ?? 0) > now) return;
  if (uses.size >= MAX_CACHED_IDENTITIES) uses.clear();
  uses.set(key_id, now + IDENTITY_TTL_MS);
  const writing = resolveDependencies([updateItem(keyUses)]).then(({ keyUses }) => keyUses.recordUse(key_id, now));
  writing.catch(() => uses.delete(key_id));
}
