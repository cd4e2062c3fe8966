import * as z from "zod";
import { bulkExports } from "../../contract/resources.ts";
import {
  type BulkExport,
  bulkExport,
  EXPORT_LIFETIME_MS,
  type ExportFile,
  exportFile,
  MAX_EXPORT_MS,
  MAX_OPEN_EXPORTS,
  MAX_STEP_S,
} from "../../domain/fhir/bulk/bulk-export.ts";
import { ConditionFailed, isConditionMet, unlessConditionFailed } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, setExpression, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import { commit, type WriteItem } from "../transaction.ts";

/** Lease of a step: it has ended for certain this long after its start. */
const LEASE_MS = MAX_STEP_S * 1000 + 60_000;

const partition = (scope: TeamScope) => `${bulkExports.keyPrefix}${scope.teamId}`;
const jobKey = (scope: TeamScope, exportId: string): Key => ({ pk: partition(scope), sk: `job#${exportId}` });
const placeKey = (scope: TeamScope, place: number): Key => ({ pk: partition(scope), sk: `open#${place}` });
const filePrefix = (exportId: string) => `file#${exportId}#`;
const fileKey = (scope: TeamScope, exportId: string, number: number): Key => ({
  pk: partition(scope),
  sk: `${filePrefix(exportId)}${String(number).padStart(6, "0")}`,
});

const jobItem = bulkExport.extend({ expires_at: z.number() });
const seconds = (ms: number) => Math.floor(ms / 1000);
const expiryOf = ({ created_at }: Pick<BulkExport, "created_at">) =>
  seconds(Date.parse(created_at) + EXPORT_LIFETIME_MS);

/** What a step changes. */
type StepChanges = Partial<Pick<BulkExport, "status" | "position" | "users" | "resources" | "files" | "tries">> & {
  readonly is_too_large?: boolean;
};

/** Bulk exports of teams, with their files. All instants are epoch milliseconds of the caller's clock. */
export class BulkExportStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Creates an export in a free place of the team. @returns undefined if the team has none. */
  async create(scope: TeamScope, draft: Omit<BulkExport, "place">): Promise<BulkExport | undefined> {
    for (let place = 0; place < MAX_OPEN_EXPORTS; place++) {
      const job = { ...draft, place };
      if (await isConditionMet(commit(this.#table.documents, this.#createItems(scope, job)))) return job;
    }
    return undefined;
  }

  #createItems(scope: TeamScope, job: BulkExport): WriteItem[] {
    const { name: TableName } = this.#table;
    const startMs = Date.parse(job.created_at);
    const place = {
      ...placeKey(scope, job.place),
      export_id: job.export_id,
      expires_at: seconds(startMs + MAX_EXPORT_MS),
    };
    return [
      {
        Put: {
          TableName,
          Item: place,
          ConditionExpression: `${NOT_EXISTS} OR expires_at <= :now`,
          ExpressionAttributeValues: { ":now": seconds(startMs) },
        },
      },
      {
        Put: {
          TableName,
          Item: { ...jobKey(scope, job.export_id), ...job, expires_at: expiryOf(job) },
          ConditionExpression: NOT_EXISTS,
        },
      },
    ];
  }

  /** Returns the export with this id in any status, until it expires. */
  async get(scope: TeamScope, exportId: string, nowMs: number): Promise<BulkExport | undefined> {
    const item = await this.#table.get(jobKey(scope, exportId), jobItem);
    return item && item.expires_at * 1000 > nowMs ? item : undefined;
  }

  /** Claims a running export for one step; undefined if it has ended or another step may still be active. */
  async claim(scope: TeamScope, exportId: string, nowMs: number): Promise<BulkExport | undefined> {
    const item = await unlessConditionFailed(
      this.#table.update(jobKey(scope, exportId), {
        UpdateExpression: "SET lease_until = :until ADD attempts :one, tries :one",
        ConditionExpression: "#status = :running AND (attribute_not_exists(lease_until) OR lease_until <= :now)",
        ExpressionAttributeNames: { "#status": "status" },
        ExpressionAttributeValues: { ":running": "running", ":now": nowMs, ":until": nowMs + LEASE_MS, ":one": 1 },
      }),
    );
    return item && bulkExport.parse(item);
  }

  /** Ends a step with its changes and new files. @returns false if another step took over or the export has ended. */
  endStep(
    scope: TeamScope,
    job: BulkExport,
    { position, ...others }: StepChanges,
    files: readonly ExportFile[] = [],
  ): Promise<boolean> {
    const { ExpressionAttributeNames, ExpressionAttributeValues, UpdateExpression } = setExpression({
      ...others,
      ...(position ? { position } : {}),
    });
    const { name: TableName } = this.#table;
    const end: WriteItem = {
      Update: {
        TableName,
        Key: jobKey(scope, job.export_id),
        UpdateExpression: `${UpdateExpression} REMOVE lease_until`,
        ConditionExpression: "#state = :running AND attempts = :attempts",
        ExpressionAttributeNames: { ...ExpressionAttributeNames, "#state": "status" },
        ExpressionAttributeValues: { ...ExpressionAttributeValues, ":running": "running", ":attempts": job.attempts },
      },
    };
    const isLast = others.status !== undefined && others.status !== "running";
    return isConditionMet(
      commit(this.#table.documents, [
        end,
        ...files.map((file, index) => this.#fileItem(scope, job, job.files + index, file)),
        ...(isLast ? [this.#leaveItem(scope, job)] : []),
      ]),
    );
  }

  #fileItem(scope: TeamScope, job: BulkExport, number: number, file: ExportFile): WriteItem {
    const Item = { ...fileKey(scope, job.export_id, number), ...file, expires_at: expiryOf(job) };
    return { Put: { TableName: this.#table.name, Item } };
  }

  /** Frees the place of an export, unless another one has it. */
  #leaveItem(scope: TeamScope, { place, export_id }: BulkExport): WriteItem {
    return {
      Delete: {
        TableName: this.#table.name,
        Key: placeKey(scope, place),
        ConditionExpression: `${NOT_EXISTS} OR export_id = :id`,
        ExpressionAttributeValues: { ":id": export_id },
      },
    };
  }

  /** Cancels an export, or discards a finished one. @returns false if it was cancelled before. */
  async cancel(scope: TeamScope, job: BulkExport): Promise<boolean> {
    const update: WriteItem = {
      Update: {
        TableName: this.#table.name,
        Key: jobKey(scope, job.export_id),
        UpdateExpression: "SET #status = :cancelled REMOVE lease_until",
        ConditionExpression: "attribute_exists(pk) AND #status <> :cancelled",
        ExpressionAttributeNames: { "#status": "status" },
        ExpressionAttributeValues: { ":cancelled": "cancelled" },
      },
    };
    try {
      await commit(this.#table.documents, [update, this.#leaveItem(scope, job)]);
      return true;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      // Another export may have the place of one that ran too long.
      return error.items.has(0) ? false : isConditionMet(commit(this.#table.documents, [update]));
    }
  }

  /** Returns the file with a number, counted from 0. */
  getFile(scope: TeamScope, exportId: string, number: number): Promise<ExportFile | undefined> {
    return this.#table.get(fileKey(scope, exportId, number), exportFile);
  }

  /** Yields the files of an export in order. */
  listFiles(scope: TeamScope, exportId: string): AsyncGenerator<ExportFile & { sk: string }> {
    const values = { ":team": partition(scope), ":files": filePrefix(exportId) };
    return this.#table.queryAll(
      { KeyConditionExpression: "pk = :team AND begins_with(sk, :files)", ExpressionAttributeValues: values },
      exportFile.extend({ sk: z.string() }),
    );
  }

  async deleteFile(scope: TeamScope, { sk }: { readonly sk: string }): Promise<void> {
    await this.#table.delete({ pk: partition(scope), sk });
  }
}
