import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  conditionCheckItem,
  deleteItem,
  deleteObject,
  getItem,
  grants,
  putObject,
  queryItems,
  updateItem,
} from "../../contract/access.ts";
import { chunks, exportJobs, summaries, userExports, users } from "../../contract/resources.ts";
import { userKeyAccess } from "../../contract/user-key-access.ts";
import { type ExportJob, exportKey } from "../../domain/exports/export-job.ts";
import type { UserRecord } from "../../domain/users/user.ts";
import type { DownloadBucket } from "../../runtime/aws/download-bucket.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { ports } from "../../runtime/ports.ts";
import { ConditionFailed } from "../../store/condition-failed.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { writeArchive } from "./export-archive.ts";
import { generateExportFiles } from "./export-contents.ts";

type ExportUserDependencies = Dependencies<"users" | "chunks" | "summaries" | "exportJobs" | "commit"> & {
  readonly userExports: Pick<DownloadBucket, "putFile" | "delete">;
};

/** Grants of {@link exportUser} and {@link failExport}. */
export const exportUserAccess = grants(
  [getItem(users), conditionCheckItem(users), updateItem(exportJobs), deleteItem(exportJobs)],
  [queryItems(chunks), ...userKeyAccess, queryItems(summaries)],
  [putObject(userExports), deleteObject(userExports)],
);

/**
 * Writes and stores the file of a claimed export. The transaction that completes the export requires an active user.
 * If the user was deleted meanwhile, the file is deleted.
 */
export async function exportUser(deps: ExportUserDependencies, scope: TeamScope, job: ExportJob): Promise<void> {
  const user = await deps.users.get(scope, job.user_id);
  if (user) await storeExportFile(deps, scope, user, job);
  const isActive = deps.users.requireActiveItem(scope, job.user_id);
  const end = deps.exportJobs.completeItems(scope, job, "done", ports().clock.now());
  const refused = await deps.commit([isActive, ...end]).catch(toConditionFailed);
  if (!refused?.items.has(0)) return;
  await deps.userExports.delete(exportKey(job));
  await failExport(deps, scope, job);
}

/** Marks a claimed export as failed, unless another run has claimed it. */
export async function failExport(
  { exportJobs, commit }: Pick<ExportUserDependencies, "exportJobs" | "commit">,
  scope: TeamScope,
  job: ExportJob,
): Promise<void> {
  await commit(exportJobs.completeItems(scope, job, "failed", ports().clock.now())).catch(toConditionFailed);
}

function toConditionFailed(error: unknown): ConditionFailed {
  if (error instanceof ConditionFailed) return error;
  throw error;
}

/** Spools the file to the local disk, because an S3 upload needs its length first. */
async function storeExportFile(
  deps: ExportUserDependencies,
  scope: TeamScope,
  user: UserRecord,
  job: ExportJob,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "export-"));
  const path = join(directory, "export.zip");
  const { export_id, user_id, created_at } = job;
  try {
    await writeArchive(path, { export_id, user_id, created_at }, generateExportFiles(deps, scope, user));
    await deps.userExports.putFile(exportKey(job), path, "application/zip");
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
