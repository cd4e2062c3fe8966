import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ExportJob, exportKey } from "../domain/exports/export-job.ts";
import type { UserRecord } from "../domain/user.ts";
import type { ChunkStore } from "../store/chunks.ts";
import { ConditionFailed } from "../store/condition-failed.ts";
import type { ExportJobStore } from "../store/export-jobs.ts";
import type { SummaryStore } from "../store/summaries.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { WriteItem } from "../store/transaction.ts";
import type { UserStore } from "../store/users.ts";
import type { DownloadBucket } from "./download-bucket.ts";
import { writeArchive } from "./export-archive.ts";
import { exportContents } from "./export-contents.ts";
import { ports } from "./ports.ts";

interface ExportUses {
  readonly users: UserStore;
  readonly chunks: ChunkStore;
  readonly summaries: SummaryStore;
  readonly exportJobs: ExportJobStore;
  readonly userExports: Pick<DownloadBucket, "keepFile" | "drop">;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
}

/**
 * Writes and stores the file of a claimed export. The transaction that completes the export requires an active user.
 * If the user was deleted meanwhile, the file is deleted.
 */
export async function exportUser(uses: ExportUses, scope: TeamScope, job: ExportJob): Promise<void> {
  const user = await uses.users.get(scope, job.user_id);
  if (user) await keepFile(uses, scope, user, job);
  const isActive = uses.users.requireActiveItem(scope, job.user_id);
  const end = uses.exportJobs.endItems(scope, job, "done", ports().clock.now());
  const refused = await uses.commit([isActive, ...end]).catch(asRefusal);
  if (!refused?.items.has(0)) return;
  await uses.userExports.drop(exportKey(job));
  await failExport(uses, scope, job);
}

/** Marks a claimed export as failed, unless another run has claimed it. */
export async function failExport(
  { exportJobs, commit }: Pick<ExportUses, "exportJobs" | "commit">,
  scope: TeamScope,
  job: ExportJob,
): Promise<void> {
  await commit(exportJobs.endItems(scope, job, "failed", ports().clock.now())).catch(asRefusal);
}

function asRefusal(error: unknown): ConditionFailed {
  if (error instanceof ConditionFailed) return error;
  throw error;
}

/** Spools the file to the local disk, because an S3 upload needs its length first. */
async function keepFile(uses: ExportUses, scope: TeamScope, user: UserRecord, job: ExportJob): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "export-"));
  const path = join(directory, "export.zip");
  const { export_id, user_id, created_at } = job;
  try {
    await writeArchive(path, { export_id, user_id, created_at }, exportContents(uses, scope, user));
    await uses.userExports.keepFile(exportKey(job), path, "application/zip");
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
