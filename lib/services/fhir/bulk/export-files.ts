import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import {
  batchGetItem,
  deleteItem,
  getItem,
  getObject,
  queryItems,
  sendMessage,
  updateItem,
} from "../../../contract/access.ts";
import { exportRuns } from "../../../contract/queues.ts";
import { bulkExports, userExports, users } from "../../../contract/resources.ts";
import {
  type BulkExport,
  bulkExportMessage,
  EXPORT_LIFETIME_MS,
  type ExportFile,
  exportPartKey,
  isRunning,
  NDJSON_MEDIA_TYPE,
} from "../../../domain/fhir/bulk/bulk-export.ts";
import { mayRead, mayReadResults } from "../../../domain/fhir/resource-access.ts";
import type { Bucket } from "../../../runtime/aws/bucket.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { Forbidden, NotFound } from "../../../runtime/errors.ts";
import { Answer, fhirAnswer } from "../../../runtime/http/answer.ts";
import { inParallel } from "../../../runtime/in-parallel.ts";
import { ports } from "../../../runtime/ports.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import { exportUrl } from "./start-bulk-export.ts";

/** Grants of {@link describeExport}. */
export const describeExportAccess = [getItem(bulkExports), queryItems(bulkExports)] as const;
/** Grants of {@link readExportFile}. */
export const readExportFileAccess = [
  getItem(bulkExports),
  getItem(users),
  batchGetItem(users),
  getObject(userExports),
] as const;

/** Grants of {@link cancelExport}. */
export const cancelExportAccess = [
  getItem(bulkExports),
  updateItem(bulkExports),
  deleteItem(bulkExports),
  sendMessage(exportRuns),
] as const;

/** Seconds after which a caller asks for the status again. */
const RETRY_AFTER_S = 10;

/** A team that reads an export, with the scopes of its credential. */
interface ExportReader {
  readonly scope: TeamScope;
  readonly scopes?: readonly string[] | undefined;
}

const notFound = () => new NotFound("There is no export with this id.");

/** Reads an export that the credential may read whole. @throws NotFound for an unknown or cancelled one; Forbidden. */
export async function requireExport(
  reader: ExportReader,
  exportId: string,
  deps: Dependencies<"bulkExports">,
): Promise<BulkExport> {
  const job = await findExport(reader, exportId, deps);
  if (job.status === "cancelled") throw notFound();
  return job;
}

async function findExport(
  { scope, scopes }: ExportReader,
  exportId: string,
  { bulkExports }: Dependencies<"bulkExports">,
): Promise<BulkExport> {
  const job = await bulkExports.get(scope, exportId, ports().clock.now());
  if (!job) throw notFound();
  const isAllowed = job.types.every((type) => mayRead(scopes, type, "r"));
  const mayHaveResults = job.has_results && job.types.includes("Observation");
  if (!isAllowed || (mayHaveResults && !mayReadResults(scopes)))
    throw new Forbidden("The scopes of the credential do not include the types of this export.");
  return job;
}

/**
 * Cancels an export and has its files deleted. Also a repeated call sends the message that deletes them, because the
 * call before may have ended without. @throws NotFound for an unknown export or one that was cancelled before; Forbidden.
 */
export async function cancelExport(
  reader: ExportReader,
  exportId: string,
  deps: Dependencies<"bulkExports" | "exportRuns">,
): Promise<void> {
  const job = await findExport(reader, exportId, deps);
  const isFirst = await deps.bulkExports.cancel(reader.scope, job);
  await deps.exportRuns.send(bulkExportMessage.parse(job));
  if (!isFirst) throw notFound();
}

/** The status of an export, or its manifest once it is done. */
export async function describeExport(
  { scope }: ExportReader,
  job: BulkExport,
  { bulkExports }: Dependencies<"bulkExports">,
): Promise<Answer> {
  if (isRunning(job, ports().clock.now())) {
    const progress = `${job.users} users and ${job.resources} resources done`;
    return new Answer("", { status: 202, headers: { "x-progress": progress, "retry-after": String(RETRY_AFTER_S) } });
  }
  if (job.status !== "done") return renderFailedExport(job);
  const output = [];
  for await (const { type, count, sk } of bulkExports.listFiles(scope, job.export_id))
    output.push({ type, url: `${exportUrl(job.export_id)}/${Number(sk.slice(-6))}`, count });
  const { created_at: transactionTime, request } = job;
  const manifest = { transactionTime, request, requiresAccessToken: true, output, deleted: [], error: [] };
  const expires = new Date(Date.parse(job.created_at) + EXPORT_LIFETIME_MS).toUTCString();
  return new Answer(JSON.stringify(manifest), { headers: { "content-type": "application/json", expires } });
}

/** Renders a failed export as an error, as the specification of bulk exports demands. */
function renderFailedExport({ is_too_large }: BulkExport): Answer {
  const [code, diagnostics] = is_too_large
    ? ["too-costly", "The export has too many files. Export fewer types or patients, or a shorter time."]
    : ["exception", "The export failed. Start it again."];
  const outcome = { resourceType: "OperationOutcome", issue: [{ severity: "error", code, diagnostics }] };
  const { headers, text } = fhirAnswer(outcome);
  return new Answer(text, { status: is_too_large ? 413 : 500, headers });
}

/**
 * Reads a file of an export, without the lines of users who were deleted since.
 * @throws NotFound for an unknown file, or one of an export that still runs.
 */
export async function readExportFile(
  { scope }: ExportReader,
  job: BulkExport,
  number: number,
  deps: Dependencies<"bulkExports" | "users"> & { readonly userExports: Pick<Bucket, "get"> },
): Promise<Answer> {
  const file = job.status === "done" ? await deps.bulkExports.getFile(scope, job.export_id, number) : undefined;
  if (!file) throw new NotFound("There is no file with this number.");
  const parts = await activeParts(scope, file, deps);
  const texts = await inParallel(
    parts,
    async (part) => (await promisify(gunzip)(await deps.userExports.get(exportPartKey(job, part)))).toString(),
    READERS,
  );
  return new Answer(texts.join(""), { headers: { "content-type": NDJSON_MEDIA_TYPE } });
}

/** Maximum number of concurrent reads of parts. */
const READERS = 16;

async function activeParts(scope: TeamScope, { parts }: ExportFile, { users }: Dependencies<"users">) {
  const ids = [...new Set(parts.map(({ user_id }) => user_id))];
  const active = new Set((await users.getMany(scope, ids)).map(({ user_id }) => user_id));
  return parts.filter(({ user_id }) => active.has(user_id));
}
