import { managementKeyHeaders, teamKeyHeaders } from "../contract/dialect.ts";
import { authAccess } from "../contract/endpoint.ts";
import { isKey, keyIdOf } from "../crypto/api-key.ts";
import type { KeyRecord, Team } from "../domain/identity.ts";
import { TeamScope } from "../store/team-scope.ts";
import { Unauthorized } from "./errors.ts";
import { ports } from "./ports.ts";
import { usesOf } from "./uses.ts";

/** Who calls: a team with its API key, or an organisation with a management key. */
export interface TeamCaller {
  readonly scope: TeamScope;
  readonly team: Team;
  readonly keyId: string;
  /** The header the key came in; some answers are spelled in the dialect of the caller. */
  readonly header: string;
}
export interface ManagementCaller {
  readonly key: KeyRecord;
}

/** How long a container trusts what it has read: a revoked key is dead within this time. */
const TRUST_MS = 60_000;
const MOST_REMEMBERED = 1_000;

type Headers = Readonly<Record<string, string | undefined>>;
const remembered = new Map<string, { until: number; value: KeyRecord | Team }>();

/** @throws Unauthorized unless the headers carry a live team API key. */
export async function authenticateTeam(headers: Headers): Promise<TeamCaller> {
  const { header, key } = await liveKey(headers, teamKeyHeaders, (kind) => kind === "team");
  const teamId = key.team_ids[0] ?? "";
  const team = await recall(`team ${teamId}`, async () => (await usesOf(authAccess.team)).teams.get(teamId));
  if (!team) throw new Unauthorized("The team of this API key does not exist.");
  return { scope: TeamScope.grant(team.team_id), team, keyId: key.key_id, header };
}

/** @throws Unauthorized unless the headers carry a live management key. */
export async function authenticateManagement(headers: Headers): Promise<ManagementCaller> {
  const { key } = await liveKey(headers, managementKeyHeaders, (kind) => kind !== "team");
  return { key };
}

/** Reads the key named by the first of these headers that is sent, checks its hash, its kind and that it lives. */
async function liveKey(headers: Headers, names: readonly string[], isRightKind: (kind: KeyRecord["kind"]) => boolean) {
  const header = names.find((name) => headers[name] !== undefined);
  if (header === undefined) throw new Unauthorized(`The header ${names[0]} is missing.`);
  const presented = headers[header] ?? "";
  const keyId = keyIdOf(presented);
  const key = keyId && (await recall(`key ${keyId}`, async () => (await usesOf(authAccess.team)).keys.get(keyId)));
  const isLive = key && isKey(presented, key.sha256) && key.revoked_at === undefined && isRightKind(key.kind);
  if (!isLive) throw new Unauthorized("The key is not valid for this interface.");
  return { header, key };
}

/** Reads through a memory of at most {@link TRUST_MS}; what does not exist is never remembered. */
async function recall<T extends KeyRecord | Team>(
  name: string,
  read: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const now = ports().clock.now();
  const known = remembered.get(name);
  if (known && known.until > now) return known.value as T;
  const value = await read();
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  if (value) remembered.set(name, { until: now + TRUST_MS, value });
  else remembered.delete(name);
  return value;
}
