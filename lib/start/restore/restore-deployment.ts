import { buckets, erasureTable, lake, tables } from "../../contract/resources.ts";
import type { ReapplyReport } from "../../services/erasure/reapply-erasures.ts";
import { ErasureStore } from "../../store/erasure/erasures.ts";
import { dataOwnerOf } from "../../store/erasure/scan-data-owners.ts";
import type { Item, Key } from "../../store/item.ts";
import { TeamScope } from "../../store/team-scope.ts";
import { AdminRefused } from "../admin-refused.ts";
import { type ActivatedTable, activateTable } from "./activate-table.ts";
import { copyBucket } from "./copy-bucket.ts";
import { type CopiedTable, copyTable } from "./copy-table.ts";
import { type DeploymentData, type DeploymentSource, keysOf } from "./deployment-data.ts";
import { KeyChange } from "./key-change.ts";
import { isEmptyTable } from "./scan-items.ts";

/** Options of a restore. */
export interface RestoreOptions {
  /** Copies of the tables of the lost deployment, its buckets and its keys; or an archive. */
  readonly from: DeploymentSource;
  /** An empty deployment. */
  readonly to: DeploymentData;
  /** Whether the deployment may have data, of a restore that was interrupted. */
  readonly isContinued?: boolean;
  /** Erases again whom the list of erasures in `to` names. */
  readonly reapplyErasures: () => Promise<ReapplyReport>;
  /** Called before each step. */
  readonly onStep?: (step: string) => void;
}

/** What a restore did. */
export interface RestoreReport {
  readonly tables: Readonly<Record<string, CopiedTable & ActivatedTable>>;
  readonly buckets: Readonly<Record<string, { readonly objects: number; readonly bytes: number }>>;
  readonly erasures: ReapplyReport;
}

/**
 * Restores a deployment into another one. Until the end, the other one knows no key of a caller and finds no work. So it
 * answers no caller and sends nothing before the erasures are applied again. Repeatable until the service is used.
 * @throws AdminRefused if the other deployment has data.
 */
export async function restoreDeployment(options: RestoreOptions): Promise<RestoreReport> {
  const { from, to, onStep = () => {} } = options;
  if (!options.isContinued) await requireEmpty(to);
  const keys = new KeyChange(from.keys, keysOf(to));
  const copied = new Map<string, CopiedTable>();
  for (const table of tables) {
    onStep(`copies the table ${table.name}`);
    copied.set(table.name, await copyTable(from.items(table), to.table(table), keys));
  }
  const objects: Record<string, { objects: number; bytes: number }> = {};
  for (const bucket of buckets.filter((one) => one !== lake)) {
    onStep(`copies the bucket ${bucket.name}`);
    objects[bucket.name] = await copyBucket(from.objects(bucket), to.s3, to.bucketName(bucket));
  }
  onStep("applies the erasures again");
  const erasures = await options.reapplyErasures();
  const report: Record<string, CopiedTable & ActivatedTable> = {};
  const isErased = erasedOwners(to);
  for (const table of tables) {
    onStep(`opens the table ${table.name}`);
    const activated = await activateTable(from.items(table), to.table(table), isErased);
    report[table.name] = { items: 0, left: 0, ...copied.get(table.name), ...activated };
  }
  return { tables: report, buckets: objects, erasures };
}

async function requireEmpty(to: DeploymentData): Promise<void> {
  for (const table of tables) {
    if (await isEmptyTable(to.table(table))) continue;
    throw new AdminRefused(`the table ${table.name} of the deployment is not empty (--continue after an interruption)`);
  }
}

/** Returns whether an item belongs to an erased user. */
function erasedOwners(to: DeploymentData): (item: Item & Key) => Promise<boolean> {
  const erasures = new ErasureStore(to.table(erasureTable));
  return async (item) => {
    const { team_id, user_id } = { ...item, ...dataOwnerOf(item) } as { team_id?: unknown; user_id?: unknown };
    if (typeof team_id !== "string" || typeof user_id !== "string") return false;
    return (await erasures.get(TeamScope.grant(team_id), user_id)) !== undefined;
  };
}
