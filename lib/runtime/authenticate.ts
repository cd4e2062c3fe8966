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

/** Who calls: a team with its API key or an access token, a laboratory, or an organisation with a management key. */
export interface TeamCaller {
  readonly scope: TeamScope;
  readonly team: Team;
  readonly keyId: string;
  /** What the credential is kept to; undefined where it may do all. */
  readonly scopes?: readonly string[] | undefined;
  /** The header the credential came in; some answers are spelled in the dialect of the caller. */
  readonly header: string;
}
export interface LabCaller {
  /** The team that has given the laboratory the key. */
  readonly scope: TeamScope;
  readonly team: Team;
  readonly keyId: string;
  /** The slug of the laboratory. */
  readonly lab: string;
}
export interface ManagementCaller {
  readonly key: KeyRecord;
}

type Headers = Readonly<Record<string, string | undefined>>;
/** Keys whose use was noted within the last minute, and until when that holds. */
const notedHere = keptByContainer(() => new Map<string, number>());

/** A credential as presented, and the kinds of key that may come this way. */
interface Presented {
  readonly header: string;
  readonly text: string;
  readonly kinds: readonly KeyRecord["kind"][];
}

/** @throws Unauthorized unless the headers carry a live API key, or access token, of a team that exists. */
export async function authenticateTeam(headers: Headers): Promise<TeamCaller> {
  const { header, key } = await liveKey(teamCredential(headers));
  const team = await teamOf(key);
  return { scope: TeamScope.grant(team.team_id), team, keyId: key.key_id, scopes: key.scopes, header };
}

/** @throws Unauthorized unless the headers carry a live key that a team has given to a laboratory. */
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

/** @throws Unauthorized unless the headers carry a live management key. */
export async function authenticateManagement(headers: Headers): Promise<ManagementCaller> {
  const presented = inHeaders(headers, managementKeyHeaders, ["org_admin", "team_admin"]);
  const { key } = await liveKey(presented ?? missing(managementKeyHeaders[0]));
  return { key };
}

/** An API key, or without one an access token. */
function teamCredential(headers: Headers): Presented {
  const apiKey = inHeaders(headers, teamKeyHeaders, ["team"]);
  if (apiKey) return apiKey;
  const bearer = /^Bearer (\S+)$/i.exec(headers[accessTokenHeader] ?? "")?.[1];
  if (bearer === undefined) return missing(teamKeyHeaders[0]);
  return { header: accessTokenHeader, text: bearer, kinds: ["access_token"] };
}

/** What the first of these headers that is sent carries. */
function inHeaders(headers: Headers, names: readonly string[], kinds: Presented["kinds"]): Presented | undefined {
  const header = names.find((name) => headers[name] !== undefined);
  return header === undefined ? undefined : { header, text: headers[header] ?? "", kinds };
}

function missing(header: string): never {
  throw new Unauthorized(`The header ${header} is missing.`);
}

/** Reads the key that is presented, checks its hash, its kind and that it lives. */
async function liveKey({ header, text, kinds }: Presented) {
  const keyId = keyIdOf(text);
  const key = keyId && (await recall(`key ${keyId}`, async () => (await usesOf([get(keys)])).keys.get(keyId)));
  const isLive = key && isKey(text, key.sha256) && !isOver(key) && !key.retired_at && kinds.includes(key.kind);
  if (!isLive) throw new Unauthorized("The key is not valid for this interface.");
  noteUse(key);
  return { header, key };
}

/**
 * Notes that a managed key is in use, at most once a minute in each container. Nobody waits for it: should the container
 * be frozen before it is written, the next use after a minute is noted.
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
