import { generateApiKey, toStoredKey } from "../../crypto/api-key.ts";
import { RAW_PAYLOAD_FEATURE } from "../../domain/connections/raw-payloads/retention.ts";
import { type Environment, type KeyRecord, type Region, teamKeyPrefix } from "../../domain/management/records.ts";
import { teamFeatures } from "../../domain/management/team-features.ts";
import { defaultTeamSettings } from "../../domain/management/team-settings.ts";
import { unlessConditionFailed } from "../../store/condition-failed.ts";
import { KeyStore } from "../../store/management/keys.ts";
import { OrgStore } from "../../store/management/orgs.ts";
import { TeamStore } from "../../store/management/teams.ts";
import type { Table } from "../../store/table.ts";
import { commit } from "../../store/transaction.ts";

/** A new organisation with its management key. */
export interface NewOrg {
  readonly org_id: string;
  readonly management_key: string;
}

/** The first organisation of a deployment, with a team and its API key. */
export interface FirstOrg extends NewOrg {
  readonly team_id: string;
  readonly api_key: string;
}

/** The source of ids and secrets. */
export interface RandomSource {
  readonly uuid: () => string;
  readonly bytes: (length: number) => Buffer;
}

/** Input for a new organisation. */
export interface OrgOptions extends RandomSource {
  readonly name: string;
  /** ISO 8601. */
  readonly now: string;
}

/** Input for the first organisation. */
export interface FirstOrgOptions extends OrgOptions {
  readonly environment: Environment;
  readonly region: Region;
}

/** Creates id and key for {@link writeOrg}. Save them before the write, so that an interrupted run can be repeated. */
export function planOrg({ uuid, bytes }: RandomSource): NewOrg {
  return { org_id: uuid(), management_key: generateApiKey("mg", bytes).key };
}

/** Creates ids and keys for {@link writeFirstOrg}. */
export function planFirstOrg(options: FirstOrgOptions): FirstOrg {
  const { environment, region, uuid, bytes } = options;
  const api_key = generateApiKey(teamKeyPrefix(environment, region), bytes).key;
  return { ...planOrg(options), team_id: uuid(), api_key };
}

/**
 * Writes an organisation and its management key to the directory table. No route does this: only the operator of the
 * deployment may write there. Idempotent.
 */
export async function writeOrg(directory: Table, { org_id, management_key }: NewOrg, options: OrgOptions) {
  const { name, now: created_on } = options;
  await unlessConditionFailed(new OrgStore(directory).create({ org_id, name, created_on }));
  await writeFirstKey(directory, management_key, { kind: "org_admin", org_id, team_ids: [] }, options);
}

/** Writes the first organisation, its team with all features and partial results enabled, and the keys of both. Idempotent. */
export async function writeFirstOrg(directory: Table, planned: FirstOrg, options: FirstOrgOptions): Promise<void> {
  const { name, region, now: created_on } = options;
  const { org_id, team_id } = planned;
  await writeOrg(directory, planned, options);
  // Whoever wants copies of what providers send must say so.
  const features = teamFeatures.filter((feature) => feature !== RAW_PAYLOAD_FEATURE);
  const settings = { ...defaultTeamSettings, partial_webhooks_enabled: true };
  const team = { team_id, org_id, name, region, created_on, features, settings };
  await unlessConditionFailed(commit(directory.documents, new TeamStore(directory).createItems(team)));
  await writeFirstKey(directory, planned.api_key, { kind: "team", org_id, team_ids: [team_id] }, options);
}

/** Writes a management key for an organisation that lost its own. @returns false if the organisation does not exist. */
export async function writeManagementKey(directory: Table, { org_id, management_key }: NewOrg, options: OrgOptions) {
  if (!(await new OrgStore(directory).get(org_id))) return false;
  await writeFirstKey(directory, management_key, { kind: "org_admin", org_id, team_ids: [] }, options);
  return true;
}

async function writeFirstKey(
  directory: Table,
  key: string,
  owner: Pick<KeyRecord, "kind" | "org_id" | "team_ids">,
  { now: created_at, uuid }: OrgOptions,
): Promise<void> {
  const record = { ...toStoredKey(key), ...owner, id: uuid(), label: "first key", created_at };
  await unlessConditionFailed(commit(directory.documents, new KeyStore(directory).createItems(record)));
}
