import * as z from "zod";

/** How far an export is; `failed` is final, a new one may be started. */
export const exportStatuses = ["pending", "running", "done", "failed"] as const;

/** How long a finished export can be downloaded; the bucket keeps objects as long. */
export const EXPORT_KEPT_MS = 2 * 24 * 60 * 60 * 1000;
/** The longest that one run may take. */
export const EXPORT_RUN_S = 900;
/** How long an address to download an export is valid: nobody can take it back, so no longer than a dead key is trusted. */
export const DOWNLOAD_S = 60;

/** An export of a user as kept. */
export const exportJob = z.object({
  export_id: z.string(),
  team_id: z.string(),
  user_id: z.string(),
  status: z.enum(exportStatuses),
  /** ISO 8601. */
  created_at: z.string(),
  /** Runs begun so far; the number of the last one tells it from those it took over from. */
  attempts: z.number().int(),
  /** Until when the last run is taken to be alive, epoch ms; absent before the first and after the end. */
  lease_until: z.number().optional(),
});
export type ExportJob = z.output<typeof exportJob>;

/** What the consumer is told: ids alone. */
export const exportMessage = exportJob.pick({ export_id: true, team_id: true, user_id: true });
export type ExportMessage = z.output<typeof exportMessage>;

/** An export as answered. */
export const wireExport = z
  .object({
    id: z.uuid(),
    status: z.enum(exportStatuses),
    created_at: z.iso.datetime(),
    download_url: z.url().nullable().describe("Where the zip file is, for anyone who has the address; null until done"),
    expires_at: z.iso
      .datetime()
      .nullable()
      .describe("When this address ends; reading the export again gives a new one"),
  })
  .meta({ id: "UserExport" });

/** The address of a finished export, and when it ends. */
export type Download = Pick<z.output<typeof wireExport>, "download_url" | "expires_at">;

/** The answer for an export. */
export function toWireExport(job: ExportJob, download: Download = { download_url: null, expires_at: null }) {
  return { id: job.export_id, status: job.status, created_at: job.created_at, ...download };
}

/** What the names of all objects of a user's exports begin with. */
export function exportsOf({ team_id, user_id }: Pick<ExportMessage, "team_id" | "user_id">): string {
  return `${team_id}/${user_id}/`;
}

/** The name under which the bucket keeps the file of an export. */
export function exportKey(job: ExportMessage): string {
  return `${exportsOf(job)}${job.export_id}.zip`;
}
