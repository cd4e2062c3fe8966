import { keptOf, makeApiKey } from "../crypto/api-key.ts";
import { type Environment, type Region, type Team, teamKeyPrefix } from "../domain/identity.ts";
import { ConditionFailed } from "../store/condition-failed.ts";
import { KeyStore, OrgStore, TeamStore } from "../store/identity.ts";
import type { Table } from "../store/table.ts";
import { commit } from "../store/transaction.ts";

/** Every opt-in and beta feature that a team may have. */
export const allFeatures = ["insurance", "bulk_export", "lab_report_parsing", "psc_scheduling"] as const;

/** The first organisation of a deployment, with the keys to reach it. */
export interface FirstOrg {
  readonly org_id: string;
  readonly team_id: string;
  readonly api_key: string;
  readonly management_key: string;
}

/** What a first organisation is made of. */
export interface FirstOrgOptions {
  readonly name: string;
  readonly environment: Environment;
  readonly region: Region;
  /** ISO 8601. */
  readonly now: string;
  readonly uuid: () => string;
  readonly bytes: (length: number) => Buffer;
}

/** Ids and keys for {@link writeFirstOrg}; kept before they are written, so that a broken start can be repeated. */
export function planFirstOrg({ environment, region, uuid, bytes }: FirstOrgOptions): FirstOrg {
  const api_key = makeApiKey(teamKeyPrefix(environment, region), bytes).key;
  return { org_id: uuid(), team_id: uuid(), api_key, management_key: makeApiKey("mg", bytes).key };
}

/**
 * Writes the first organisation, its team and their keys straight into the directory table: whoever may write there owns
 * the deployment, so no route is open for it. Writing it again changes nothing.
 */
export async function writeFirstOrg(directory: Table, planned: FirstOrg, options: FirstOrgOptions): Promise<void> {
  const { name, region, now: created_on } = options;
  const { org_id, team_id } = planned;
  const team: Team = { team_id, org_id, name, region, created_on, features: [...allFeatures] };
  const keys = new KeyStore(directory);
  const about = { created_at: created_on, org_id };
  await unlessThere(new OrgStore(directory).create({ org_id, name, created_on }));
  await unlessThere(commit(directory.documents, new TeamStore(directory).createItems(team)));
  await unlessThere(
    keys.create({ ...keptOf(planned.api_key), ...about, kind: "team", label: "first key", team_ids: [team_id] }),
  );
  await unlessThere(
    keys.create({ ...keptOf(planned.management_key), ...about, kind: "org_admin", label: "first key", team_ids: [] }),
  );
}

async function unlessThere(write: Promise<void>): Promise<void> {
  await write.catch((error) => {
    if (!(error instanceof ConditionFailed)) throw error;
  });
}
