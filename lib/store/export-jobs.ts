import * as z from "zod";
import { exportJobs } from "../contract/resources.ts";
import { EXPORT_KEPT_MS, EXPORT_RUN_S, type ExportJob, exportJob } from "../domain/exports/export-job.ts";
import { ConditionFailed } from "./condition-failed.ts";
import { isNew, type Key, type Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";
import { commit, type WriteItem } from "./transaction.ts";

/** A run has ended for sure this long after it began. */
const LEASE_MS = EXPORT_RUN_S * 1000 + 60_000;

const partition = (scope: TeamScope, userId: string) => `${exportJobs.keyPrefix}${scope.teamId}#${userId}`;
const jobKey = (scope: TeamScope, userId: string, exportId: string): Key => ({
  pk: partition(scope, userId),
  sk: `job#${exportId}`,
});
/** The item that stands while an export of the user is pending or running. */
const openKey = (scope: TeamScope, userId: string): Key => ({ pk: partition(scope, userId), sk: "open" });

const openItem = z.object({ export_id: z.string() });
const jobItem = exportJob.extend({ expires_at: z.number() });
const expiryOf = (nowMs: number) => Math.floor((nowMs + EXPORT_KEPT_MS) / 1000);

/** Exports of users. All instants are epoch milliseconds of the caller's clock. */
export class ExportJobStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** The export with this id, until it expires. */
  async get(scope: TeamScope, userId: string, exportId: string, nowMs: number): Promise<ExportJob | undefined> {
    const item = await this.#table.get(jobKey(scope, userId, exportId), jobItem);
    return item && item.expires_at * 1000 > nowMs ? item : undefined;
  }

  /** Opens an export, unless one of the user is open: two calls at one time get the same one. */
  async open(scope: TeamScope, userId: string, exportId: string, nowMs: number): Promise<ExportJob> {
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
        // It was erased or expired in between, so the next try finds its place free.
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
          ConditionExpression: `${isNew} OR expires_at <= :now`,
          ExpressionAttributeValues: { ":now": Math.floor(nowMs / 1000) },
          ReturnValuesOnConditionCheckFailure: "ALL_OLD",
        },
      },
      {
        Put: {
          TableName,
          Item: { ...jobKey(scope, job.user_id, job.export_id), ...job, expires_at },
          ConditionExpression: isNew,
        },
      },
    ];
  }

  /** Takes an export for one run; undefined when it has ended, was erased, or a run that may be alive is at it. */
  async claim(scope: TeamScope, userId: string, exportId: string, nowMs: number): Promise<ExportJob | undefined> {
    try {
      const item = await this.#table.update(jobKey(scope, userId, exportId), {
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
      });
      return exportJob.parse(item);
    } catch (error) {
      if (error instanceof ConditionFailed) return undefined;
      throw error;
    }
  }

  /** Ends a claimed export, unless another run has taken it over, and lets the next one be opened. */
  endItems(scope: TeamScope, job: ExportJob, status: "done" | "failed", nowMs: number): WriteItem[] {
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
          ConditionExpression: `${isNew} OR export_id = :id`,
          ExpressionAttributeValues: { ":id": job.export_id },
        },
      },
    ];
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.erasePartition(partition(scope, userId));
  }
}
