import * as z from "zod";
import { exportJobs } from "../../contract/resources.ts";
import { EXPORT_RETENTION_MS, type ExportJob, exportJob, MAX_EXPORT_RUN_S } from "../../domain/exports/export-job.ts";
import { ConditionFailed, unlessConditionFailed } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import { commit, type WriteItem } from "../transaction.ts";

/** Lease of a run: it has ended for certain this long after its start. */
const LEASE_MS = MAX_EXPORT_RUN_S * 1000 + 60_000;

const partition = (scope: TeamScope, userId: string) => `${exportJobs.keyPrefix}${scope.teamId}#${userId}`;
const jobKey = (scope: TeamScope, userId: string, exportId: string): Key => ({
  pk: partition(scope, userId),
  sk: `job#${exportId}`,
});
/** Key of the item that exists while an export of the user is pending or running. */
const openKey = (scope: TeamScope, userId: string): Key => ({ pk: partition(scope, userId), sk: "open" });

const openItem = z.object({ export_id: z.string() });
const jobItem = exportJob.extend({ expires_at: z.number() });
const expiryOf = (nowMs: number) => Math.floor((nowMs + EXPORT_RETENTION_MS) / 1000);

/** Export jobs of users. All instants are epoch milliseconds of the caller's clock. */
export class ExportJobStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns the export with this id, until it expires. */
  async get(scope: TeamScope, userId: string, exportId: string, nowMs: number): Promise<ExportJob | undefined> {
    const item = await this.#table.get(jobKey(scope, userId, exportId), jobItem);
    return item && item.expires_at * 1000 > nowMs ? item : undefined;
  }

  /** Creates an export, or returns the user's open export. Concurrent calls get the same one. */
  async getOrCreate(scope: TeamScope, userId: string, exportId: string, nowMs: number): Promise<ExportJob> {
    const created_at = new Date(nowMs).toISOString();
    const about = { export_id: exportId, team_id: scope.teamId, user_id: userId, created_at };
    const job: ExportJob = { ...about, status: "pending", attempts: 0 };
    for (;;) {
      try {
        await commit(this.#table.documents, this.#openItems(scope, job, nowMs));
        return job;
      } catch (error) {
        const open = error instanceof ConditionFailed ? openItem.safeParse(error.items.get(0)) : undefined;
        if (!open?.success) throw error;
        const known = await this.get(scope, userId, open.data.export_id, nowMs);
        // The open export was erased or expired in between, so the next attempt can create one.
        if (known) return known;
      }
    }
  }

  #openItems(scope: TeamScope, job: ExportJob, nowMs: number): WriteItem[] {
    const { name: TableName } = this.#table;
    const expires_at = expiryOf(nowMs);
    const open = { ...openKey(scope, job.user_id), export_id: job.export_id, expires_at };
    return [
      {
        Put: {
          TableName,
          Item: open,
          ConditionExpression: `${NOT_EXISTS} OR expires_at <= :now`,
          ExpressionAttributeValues: { ":now": Math.floor(nowMs / 1000) },
          ReturnValuesOnConditionCheckFailure: "ALL_OLD",
        },
      },
      {
        Put: {
          TableName,
          Item: { ...jobKey(scope, job.user_id, job.export_id), ...job, expires_at },
          ConditionExpression: NOT_EXISTS,
        },
      },
    ];
  }

  /** Claims an export for one run; undefined if it has ended, was erased, or another run may still be active. */
  async claim(scope: TeamScope, userId: string, exportId: string, nowMs: number): Promise<ExportJob | undefined> {
    const item = await unlessConditionFailed(
      this.#table.update(jobKey(scope, userId, exportId), {
        UpdateExpression: "SET #status = :running, lease_until = :until ADD attempts :one",
        ConditionExpression: "#status = :pending OR (#status = :running AND lease_until <= :now)",
        ExpressionAttributeNames: { "#status": "status" },
        ExpressionAttributeValues: {
          ":pending": "pending",
          ":running": "running",
          ":now": nowMs,
          ":until": nowMs + LEASE_MS,
          ":one": 1,
        },
      }),
    );
    return item && exportJob.parse(item);
  }

  /** Builds the writes that end a claimed export and allow the next one. They fail if another run took over. */
  completeItems(scope: TeamScope, job: ExportJob, status: "done" | "failed", nowMs: number): WriteItem[] {
    const { name: TableName } = this.#table;
    return [
      {
        Update: {
          TableName,
          Key: jobKey(scope, job.user_id, job.export_id),
          UpdateExpression: "SET #status = :status, expires_at = :expires REMOVE lease_until",
          ConditionExpression: "#status = :running AND attempts = :attempts",
          ExpressionAttributeNames: { "#status": "status" },
          ExpressionAttributeValues: {
            ":status": status,
            ":expires": expiryOf(nowMs),
            ":running": "running",
            ":attempts": job.attempts,
          },
        },
      },
      {
        Delete: {
          TableName,
          Key: openKey(scope, job.user_id),
          ConditionExpression: `${NOT_EXISTS} OR export_id = :id`,
          ExpressionAttributeValues: { ":id": job.export_id },
        },
      },
    ];
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.deletePartition(partition(scope, userId));
  }
}
