import * as z from "zod";

/** Export states. `failed` is final; a new export may be started. */
const exportStatuses = ["pending", "running", "done", "failed"] as const;

/** How long a finished export can be downloaded. The bucket's lifecycle rule uses the same time. */
export const EXPORT_RETENTION_MS = 2 * 24 * 60 * 60 * 1000;
/** Maximum duration of one run. */
export const MAX_EXPORT_RUN_S = 900;
/** Lifetime of a signed download URL. It cannot be revoked, so it is no longer than a revoked key stays trusted. */
export const DOWNLOAD_URL_TTL_S = 60;

/** An export of a user as stored. */
export const exportJob = z.object({
  export_id: z.string(),
  team_id: z.string(),
  user_id: z.string(),
  status: z.enum(exportStatuses),
  /** ISO 8601. */
  created_at: z.string(),
  /** Number of runs started; the fencing token of the current run. */
  attempts: z.number().int(),
  /** End of the current run's lease, epoch ms; absent before the first run and after the last. */
  lease_until: z.number().optional(),
});
export type ExportJob = z.output<typeof exportJob>;

/** Queue message: ids only. */
export const exportMessage = exportJob.pick({ export_id: true, team_id: true, user_id: true });
export type ExportMessage = z.output<typeof exportMessage>;

/** An export in its wire form. */
export const wireExport = z
  .object({
    id: z.uuid(),
    status: z.enum(exportStatuses),
    created_at: z.iso.datetime(),
    download_url: z.url().nullable().describe("Download URL of the zip file, valid without a key; null until done"),
    expires_at: z.iso
      .datetime()
      .nullable()
      .describe("When the download URL expires; read the export again for a new one"),
  })
  .meta({ id: "UserExport" });

/** Download URL of a finished export, and its expiry. */
export type ExportDownload = Pick<z.output<typeof wireExport>, "download_url" | "expires_at">;

/** Converts an export to its wire form. */
export function toWireExport(job: ExportJob, download: ExportDownload = { download_url: null, expires_at: null }) {
  return { id: job.export_id, status: job.status, created_at: job.created_at, ...download };
}

/** Key prefix of all export objects of a user. */
function exportKeyPrefix({ team_id, user_id }: Pick<ExportMessage, "team_id" | "user_id">): string {
  return `${team_id}/${user_id}/`;
}

/** Object key of an export. */
export function exportKey(job: ExportMessage): string {
  return `${exportKeyPrefix(job)}${job.export_id}.zip`;
}
