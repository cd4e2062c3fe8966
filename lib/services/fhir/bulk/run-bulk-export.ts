import {
  deleteItem,
  deleteObject,
  getItem,
  grants,
  putItem,
  putObject,
  queryItems,
  sendMessage,
  updateItem,
} from "../../../contract/access.ts";
import { exportRuns } from "../../../contract/queues.ts";
import { accessLog, bulkExports, teams, userExports, userInfos, users } from "../../../contract/resources.ts";
import { userDigest } from "../../../domain/erasure/erasure-certificate.ts";
import {
  type BulkExport,
  type BulkExportMessage,
  exportPartKey,
  isRunning,
  isWithinBounds,
  MAX_EXPORT_FILES,
} from "../../../domain/fhir/bulk/bulk-export.ts";
import { MAX_QUEUE_DELAY_S } from "../../../domain/shared/durations.ts";
import type { UserRecord } from "../../../domain/users/user.ts";
import { recordServiceAccess } from "../../../runtime/audit/record-service-access.ts";
import type { DownloadBucket } from "../../../runtime/aws/download-bucket.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { PermanentError } from "../../../runtime/errors.ts";
import { ports } from "../../../runtime/ports.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import { seriesOfTypes } from "../everything-series.ts";
import { invalidPosition, type PagePosition } from "../fhir-page.ts";
import type { Reader } from "../lab-resources.ts";
import { searchObservationsAccess } from "../observations.ts";
import { ExportWriter } from "./export-writer.ts";

/** Grants of {@link runBulkExport}. */
export const runBulkExportAccess = grants(
  searchObservationsAccess,
  [getItem(userInfos), getItem(teams), queryItems(users, "team_users"), putItem(accessLog)],
  [getItem(bulkExports), updateItem(bulkExports), putItem(bulkExports), deleteItem(bulkExports)],
  [queryItems(bulkExports), putObject(userExports), deleteObject(userExports), sendMessage(exportRuns)],
);

type RunDependencies = Dependencies<
  | ("users" | "userInfos" | "teams" | "chunks" | "summaries" | "orders" | "results")
  | ("bulkExports" | "exportRuns" | "accessLog")
> & { readonly userExports: Pick<DownloadBucket, "put" | "delete"> };

/** Bounds of one step. A step reads on until one of them is exceeded. */
const stepBounds = { resources: 50_000, bytes: 32 * 1_048_576, users: 250 };
type StepBounds = typeof stepBounds;
/** Runs of one step before the export fails. */
const MAX_TRIES = 3;
/** Time before the second run of a step, seconds; double before the third. */
const RETRY_DELAY_S = 60;

/**
 * Runs one step of an export and schedules the next one. A lease admits one step at a time. A message that meets a
 * lease comes again after it. A step that stopped runs again from the last committed position.
 */
export async function runBulkExport(
  deps: RunDependencies,
  scope: TeamScope,
  message: BulkExportMessage,
  bounds: StepBounds = stepBounds,
): Promise<void> {
  const now = ports().clock.now();
  const found = await deps.bulkExports.get(scope, message.export_id, now);
  if (found?.status === "cancelled") return discardFiles(deps, scope, found);
  if (!found || !isRunning(found, now)) return;
  const job = await deps.bulkExports.claim(scope, message.export_id, now);
  if (!job) {
    const delayS = Math.min(MAX_QUEUE_DELAY_S, Math.max(1, Math.ceil(((found.lease_until ?? now) - now) / 1000)));
    return deps.exportRuns.send(message, { delayS });
  }
  const isOver = await runStep(deps, scope, job, bounds).catch((error) =>
    endFailedStep(deps, scope, message, job, error),
  );
  if (!isOver) await deps.exportRuns.send(message);
}

/**
 * Frees the export for another run of the step, or fails it after the last one. The failed message comes again only
 * after the longest run of an export, so another one starts the next run. @throws the error of the step.
 */
async function endFailedStep(
  { bulkExports, exportRuns }: Pick<RunDependencies, "bulkExports" | "exportRuns">,
  scope: TeamScope,
  message: BulkExportMessage,
  job: BulkExport,
  cause: unknown,
): Promise<never> {
  const isLast = job.tries >= MAX_TRIES;
  await bulkExports.endStep(scope, job, isLast ? { status: "failed" } : { tries: job.tries });
  if (!isLast) await exportRuns.send(message, { delayS: RETRY_DELAY_S * job.tries });
  throw isLast ? new PermanentError("the export failed", { cause }) : cause;
}

/** Runs one step. @returns whether the export is over, or another step has taken over. */
async function runStep(deps: RunDependencies, scope: TeamScope, job: BulkExport, bounds: StepBounds): Promise<boolean> {
  if (job.tries > MAX_TRIES) throw new Error("every run of a step stopped before its end");
  const team = await deps.teams.get(job.team_id);
  const reader: Reader | undefined = team && { scope, team, scopes: job.has_results ? undefined : ["read"] };
  const writer = new ExportWriter(deps.userExports, job);
  const step = { reader, writer, bounds, left: bounds.resources, users: 0, position: job.position };
  const isComplete = await exportUsers(deps, job, step);
  const files = writer.end();
  const [position, users, resources] = [step.position, job.users + step.users, job.resources + writer.resources];
  const isTooLarge = job.files + files.length > MAX_EXPORT_FILES;
  if (isTooLarge) {
    await deps.bulkExports.endStep(scope, job, { status: "failed", is_too_large: true });
    return true;
  }
  const changes = { position, users, resources, files: job.files + files.length, tries: 0 };
  const isOver = isComplete || reader === undefined;
  const hasEnded = await deps.bulkExports.endStep(
    scope,
    job,
    { ...changes, ...(isOver ? { status: "done" as const } : {}) },
    files,
  );
  return isOver || !hasEnded;
}

/** The progress of a step. */
interface Step {
  readonly reader: Reader | undefined;
  readonly writer: ExportWriter;
  readonly bounds: StepBounds;
  /** Resources that the step may still read. */
  left: number;
  users: number;
  position: BulkExport["position"];
}

/** Exports users in order of their ids until a bound is exceeded. @returns whether it exported all of them. */
async function exportUsers(deps: RunDependencies, job: BulkExport, step: Step): Promise<boolean> {
  const { reader, writer, bounds } = step;
  if (!reader) return true;
  const all = job.user_ids ?? (await deps.users.listIds(reader.scope)).toSorted();
  const begun = job.position?.within ? job.position.user_id : undefined;
  for (const userId of all.filter((id) => id === begun || id > (job.position?.user_id ?? ""))) {
    const isFull = step.left <= 0 || writer.bytes >= bounds.bytes || step.users >= bounds.users;
    if (isFull) return false;
    const user = await deps.users.get(reader.scope, userId);
    const within = userId === begun ? job.position?.within : undefined;
    const stopped = user && (await exportUser(deps, job, step, reader, user, within));
    await writer.endUser(userId);
    step.position = { user_id: userId, ...(stopped ? { within: [...stopped] } : {}) };
    if (stopped) return false;
    step.users++;
  }
  return true;
}

/** Exports a user from a position on. @returns the position at which a bound was exceeded. */
async function exportUser(
  deps: RunDependencies,
  job: BulkExport,
  step: Step,
  reader: Reader,
  user: UserRecord,
  after: PagePosition | undefined,
): Promise<PagePosition | undefined> {
  const { user_id: userId } = user;
  // An entry outlives its user, so its id names the user by the digest too.
  const id = `${job.export_id}/${job.attempts}/${userDigest(reader.scope.teamId, userId)}`;
  const about = { operation: "runExport", id, userId };
  await recordServiceAccess(deps.accessLog, reader.scope, { ...about, target: { export_id: job.export_id } });
  const series = seriesOfTypes(reader, user, job.types, [], deps);
  const [name, ...within] = after ?? [];
  const first = after ? series.findIndex((one) => one.name === name) : 0;
  if (first === -1) throw invalidPosition();
  for (const [index, one] of series.slice(first).entries()) {
    for await (const { resource, position } of one.read(index === 0 && after ? within : undefined)) {
      step.left--;
      if (isWithinBounds(job, resource)) await step.writer.add(userId, resource);
      if (step.left <= 0 || step.writer.bytes >= step.bounds.bytes) return [one.name, ...position];
    }
  }
  return undefined;
}

/** Deletes the files of a cancelled export. */
async function discardFiles({ bulkExports, userExports }: RunDependencies, scope: TeamScope, job: BulkExport) {
  for await (const file of bulkExports.listFiles(scope, job.export_id)) {
    await Promise.all(file.parts.map((part) => userExports.delete(exportPartKey(job, part))));
    await bulkExports.deleteFile(scope, file);
  }
}
