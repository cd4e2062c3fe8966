import * as z from "zod";
import { userObjectPrefix } from "../../../contract/user-partitions.ts";
import { HOUR_MS } from "../../shared/durations.ts";
import type { FhirResource } from "../resources.ts";
import { patientTypes } from "../search-query.ts";

/** Media type of files with one resource in each line (http://ndjson.org). */
export const NDJSON_MEDIA_TYPE = "application/fhir+ndjson";
/** How long after its start an export and its files exist. The lifecycle rule of the bucket uses the same time. */
export const EXPORT_LIFETIME_MS = 48 * HOUR_MS;
/** How long after its start an export may run. */
export const MAX_EXPORT_MS = 24 * HOUR_MS;
/** Exports of a team that may run at a time. */
export const MAX_OPEN_EXPORTS = 2;
/** Maximum number of files of an export. A file has at most 4 MB, because the service answers it. */
export const MAX_EXPORT_FILES = 10_000;
/** Maximum number of users whose data makes one file. */
export const MAX_FILE_PARTS = 100;
/** Maximum duration of one step. */
export const MAX_STEP_S = 300;
/** Maximum number of patients that a request may name. */
export const MAX_NAMED_PATIENTS = 500;

/** `failed` and `cancelled` are final. */
const statuses = ["running", "done", "failed", "cancelled"] as const;

/** Where an export continues: after a resource of a user, or after all of the user. */
const exportPosition = z.object({
  user_id: z.string(),
  /** Series and position of the last written resource; absent after the last one of the user. */
  within: z.array(z.union([z.string(), z.number()])).optional(),
});

/** What an export contains. */
const exportSelection = z.object({
  types: z.array(z.enum(patientTypes)),
  /** Whether Observations of results of orders are part of it. */
  has_results: z.boolean(),
  /** Bounds on the time at which the service received or changed a resource, epoch ms. */
  since: z.number().optional(),
  until: z.number().optional(),
  /** The users of the export; absent for all users of the team. */
  user_ids: z.array(z.string()).optional(),
});
export type ExportSelection = z.output<typeof exportSelection>;

/** A bulk export as stored. */
export const bulkExport = exportSelection.extend({
  export_id: z.string(),
  team_id: z.string(),
  status: z.enum(statuses),
  /** URL of the request. */
  request: z.string(),
  /** ISO 8601. */
  created_at: z.string(),
  /** Which of the team's places for running exports it has. */
  place: z.number().int(),
  /** Number of claims of a step; the fencing token of the current one. */
  attempts: z.number().int(),
  /** Claims since the last step that ended. */
  tries: z.number().int(),
  /** End of the lease of the current step, epoch ms. */
  lease_until: z.number().optional(),
  position: exportPosition.optional(),
  users: z.number().int(),
  resources: z.number().int(),
  files: z.number().int(),
  /** Whether it failed because it has too many files. */
  is_too_large: z.boolean().optional(),
});
export type BulkExport = z.output<typeof bulkExport>;

/** Queue message: ids only. */
export const bulkExportMessage = bulkExport.pick({ export_id: true, team_id: true });
export type BulkExportMessage = z.output<typeof bulkExportMessage>;

/** A file of an export: parts of several users, each an object in the bucket. */
export const exportFile = z.object({
  type: z.enum(patientTypes),
  count: z.number().int(),
  parts: z.array(z.object({ user_id: z.string(), name: z.string() })),
});
export type ExportFile = z.output<typeof exportFile>;
export type ExportPart = ExportFile["parts"][number];

/** Object key of a part. It begins with the ids of team and user, so that an erasure of the user finds it. */
export const exportPartKey = ({ team_id, export_id }: BulkExportMessage, { user_id, name }: ExportPart): string =>
  `${userObjectPrefix({ team_id, user_id })}bulk/${export_id}/${name}.ndjson.gz`;

/** Whether a resource is within the bounds of an export. One without a time of change always is. */
export function isWithinBounds({ since, until }: ExportSelection, { meta }: FhirResource): boolean {
  const at = meta?.lastUpdated === undefined ? undefined : Date.parse(meta.lastUpdated);
  return at === undefined || ((since === undefined || at > since) && (until === undefined || at <= until));
}

/** Whether an export still runs. It stops to do so when its time is over. @param nowMs epoch ms. */
export const isRunning = ({ status, created_at }: BulkExport, nowMs: number): boolean =>
  status === "running" && nowMs < Date.parse(created_at) + MAX_EXPORT_MS;

/** Path parameters of an export. */
export const exportParams = z.object({
  export_id: z.guid().toLowerCase().meta({ description: "Id of the export, from the header `content-location`" }),
});

/** The answer to a started or cancelled export, which has no body. */
export const acceptedExport = z.literal("").meta({
  description: "Empty. The header `content-location` of a started export is its status",
  mediaType: "text/plain",
});

const manifestFile = z.object({ type: z.string(), url: z.string(), count: z.int() });

/** The manifest of a finished export (HL7 FHIR Bulk Data Access, "Complete Status"). */
export const wireManifest = z
  .object({
    transactionTime: z.string().describe("When the export began; the value of `_since` for the next one"),
    request: z.string().describe("URL of the request that started the export"),
    requiresAccessToken: z.boolean(),
    output: z.array(manifestFile),
    deleted: z.array(manifestFile).describe("Always empty: the service reports no deletions"),
    error: z.array(manifestFile).describe("Always empty: an export that fails has no manifest"),
  })
  .meta({ id: "FhirExportManifest", description: "Files of a finished bulk export" });
