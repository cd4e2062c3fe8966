import { get, update } from "../contract/access.ts";
import { accessTokenHeader, labKeyHeader, managementKeyHeaders, teamKeyHeaders } from "../contract/dialect.ts";
import { keys, keyUses, teams } from "../contract/resources.ts";
import { isKey, keyIdOf } from "../crypto/api-key.ts";
import type { KeyRecord, Team } from "../domain/identity.ts";
import { TeamScope } from "../store/team-scope.ts";
import { keptByContainer } from "./container.ts";
import { Unauthorized } from "./errors.ts";
import { isOver, isTokenParentAlive } from "./parent-alive.ts";
import { ports } from "./ports.ts";
import { MOST_REMEMBERED, recall, TRUST_MS } from "./remembered-identity.ts";
import { usesOf } from "./uses.ts";

/** A team that calls with an API key or an access token. */
export interface TeamCaller {
  readonly scope: TeamScope;
  readonly team: Team;
  readonly keyId: string;
  /** Scopes of the credential; undefined if it has full access. */
  readonly scopes?: readonly string[] | undefined;
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
}

type Headers = Readonly<Record<string, string | undefined>>;
/** Keys whose last use was recorded within the last minute, with the end of that minute in epoch ms. */
const notedHere = keptByContainer(() => new Map<string, number>());

/** A presented credential, and the kinds of key that its header accepts. */
interface Presented {
  readonly header: string;
  readonly text: string;
  readonly kinds: readonly KeyRecord["kind"][];
}

/** @throws Unauthorized unless the headers carry a valid API key or access token of an existing team. */
export async function authenticateTeam(headers: Headers): Promise<TeamCaller> {
  const { header, key } = await liveKey(teamCredential(headers));
  const team = await teamOf(key);
  return { scope: TeamScope.grant(team.team_id), team, keyId: key.key_id, scopes: key.scopes, header };
}

/** @throws Unauthorized unless the headers carry a valid key that a team issued to a laboratory. */
export async function authenticateLab(headers: Headers): Promise<LabCaller> {
  const { key } = await liveKey(inHeaders(headers, [labKeyHeader], ["lab"]) ?? missing(labKeyHeader));
  const team = await teamOf(key);
  return { scope: TeamScope.grant(team.team_id), team, keyId: key.key_id, lab: key.lab ?? "" };
}

async function teamOf(key: KeyRecord): Promise<Team> {
  const [teamId = ""] = key.team_ids;
  const team = await recall(`team ${teamId}`, async () => (await usesOf([get(teams)])).teams.get(teamId));
  if (!team) throw new Unauthorized("The team of this key does not exist.");
  if (!(await isTokenParentAlive(key, team))) throw new Unauthorized("The key is not valid for this interface.");
  return team;
}

/** @throws Unauthorized unless the headers carry a valid management key. */
export async function authenticateManagement(headers: Headers): Promise<ManagementCaller> {
  const presented = inHeaders(headers, managementKeyHeaders, ["org_admin", "team_admin"]);
  const { key } = await liveKey(presented ?? missing(managementKeyHeaders[0]));
  return { key };
}

/** Returns the API key of a request, or else its access token. */
function teamCredential(headers: Headers): Presented {
  const apiKey = inHeaders(headers, teamKeyHeaders, ["team"]);
  if (apiKey) return apiKey;
  const bearer = /^Bearer (\S+)$/i.exec(headers[accessTokenHeader] ?? "")?.[1];
  if (bearer === undefined) return missing(teamKeyHeaders[0]);
  return { header: accessTokenHeader, text: bearer, kinds: ["access_token"] };
}

/** Returns the credential in the first of these headers that the request carries. */
function inHeaders(headers: Headers, names: readonly string[], kinds: Presented["kinds"]): Presented | undefined {
  const header = names.find((name) => headers[name] !== undefined);
  return header === undefined ? undefined : { header, text: headers[header] ?? "", kinds };
}

function missing(header: string): never {
  throw new Unauthorized(`The header ${header} is missing.`);
}

/** Reads the presented key. @throws Unauthorized for a wrong hash or kind, or an expired or retired key. */
async function liveKey({ header, text, kinds }: Presented) {
  const keyId = keyIdOf(text);
  const key = keyId && (await recall(`key ${keyId}`, async () => (await usesOf([get(keys)])).keys.get(keyId)));
  const isLive = key && isKey(text, key.sha256) && !isOver(key) && !key.retired_at && kinds.includes(key.kind);
  if (!isLive) throw new Unauthorized("The key is not valid for this interface.");
  noteUse(key);
  return { header, key };
}

/**
 * Records the last use of a managed key, at most once a minute per container. The request does not wait for the write.
 * If Lambda freezes the container before the write ends, the next use after a minute records it.
 */
function noteUse({ id, key_id }: KeyRecord): void {
  const now = ports().clock.now();
  const noted = notedHere();
  if (id === undefined || (noted.get(key_id) ?? 0) > now) return;
  if (noted.size >= MOST_REMEMBERED) noted.clear();
  noted.set(key_id, now + TRUST_MS);
  const writing = usesOf([update(keyUses)]).then(({ keyUses }) => keyUses.note(key_id, now));
  writing.catch(() => noted.delete(key_id));
}
