import { buckets, erasureTable, lake, tables, userKeyTable } from "../../contract/resources.ts";
import type { ReapplyReport } from "../../services/erasure/reapply-erasures.ts";
import { ErasureStore } from "../../store/erasure/erasures.ts";
import { dataOwnerOf } from "../../store/erasure/scan-data-owners.ts";
import type { Item, Key } from "../../store/item.ts";
import { TeamScope } from "../../store/team-scope.ts";
import { AdminRefused } from "../admin-refused.ts";
import { type ActivatedTable, activateTable } from "./activate-table.ts";
import { copyBucket } from "./copy-bucket.ts";
import { type CopiedTable, copyTable } from "./copy-table.ts";
import type { DeploymentData } from "./deployment-data.ts";
import { KeyChange } from "./key-change.ts";
import { isEmptyTable } from "./scan-items.ts";

/** Options of a restore. */
export interface RestoreOptions {
  /** Copies of the tables of the lost deployment, its buckets and its keys. */
  readonly from: DeploymentData;
  /** An empty deployment. */
  readonly to: DeploymentData;
  /** The instant of the copies of tables, epoch ms, which decides the versions of objects; now by default. */
  readonly at?: number | undefined;
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
  const { from, to, at, onStep = () => {} } = options;
  if (!options.isContinued) await requireEmpty(to);
  const keys = new KeyChange(from, to, (data) => data.table(userKeyTable));
  const copied = new Map<string, CopiedTable>();
  for (const table of tables) {
    onStep(`copies the table ${table.name}`);
    copied.set(table.name, await copyTable(from.table(table), to.table(table), keys));
  }
  const objects: Record<string, { objects: number; bytes: number }> = {};
  for (const bucket of buckets.filter((one) => one !== lake)) {
    onStep(`copies the bucket ${bucket.name}`);
    const [source, target] = [from, to].map((data) => ({ s3: data.s3, bucket: data.bucketName(bucket) }));
    if (source && target) objects[bucket.name] = await copyBucket(source, target, at);
  }
  onStep("applies the erasures again");
  const erasures = await options.reapplyErasures();
  const report: Record<string, CopiedTable & ActivatedTable> = {};
  const isErased = erasedOwners(to);
  for (const table of tables) {
    onStep(`opens the table ${table.name}`);
    const activated = await activateTable(from.table(table), to.table(table), isErased);
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
