import * as z from "zod";
import { labReports } from "../../contract/resources.ts";
import {
  MAX_SANDBOX_JOBS,
  PARSE_RUN_TIMEOUT_S,
  type ReportContent,
  type ReportJob,
  type ReportMessage,
  reportJob,
  UPLOAD_WINDOW_S,
} from "../../domain/lab-reports/report-job.ts";
import { compressJson } from "../compressed-json.ts";
import { unlessConditionFailed } from "../condition-failed.ts";
import { type DueItems, DueShards } from "../due-index.ts";
import type { Key } from "../item.ts";
import { type ItemUpdate, NOT_EXISTS, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";
import { countUpdate, eraseReports } from "./erase-reports.ts";
import { acquireReader, type ReaderSlot, releaseReader } from "./reader-slots.ts";
import {
  countKey,
  JOB_PREFIX,
  jobIdOf,
  jobItem,
  jobKey,
  RESULT_PREFIX,
  type StoredReport,
  userReportsPartition,
} from "./report-keys.ts";
import { findResultPositions, getReports } from "./report-results.ts";
import { findWaitingReports } from "./waiting-reports.ts";

/** Lease of a run: it has ended for certain this long after its start. */
const LEASE_MS = PARSE_RUN_TIMEOUT_S * 1000 + 60_000;
/** Delay after a message or a failed run, after which the sweeper finds a waiting job. */
const GRACE_MS = 60_000;

/** Index partitions of jobs that wait for a run. */
const shards = new DueShards(`${labReports.keyPrefix}due#`, { count: 4, limit: 200 });
const waitingJob = z.object({ team_id: z.string(), id: z.string(), due_at: z.string() });

const isoAt = (ms: number) => new Date(ms).toISOString();

/** Jobs that parse lab reports. All instants are epoch milliseconds of the caller's clock. */
export class LabReportStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, id: string): Promise<StoredReport | undefined> {
    return this.#table.get(jobKey(scope, id), jobItem);
  }

  /** Whether the team has reached the sandbox limit of jobs. */
  async hasReachedLimit(scope: TeamScope): Promise<boolean> {
    const counter = await this.#table.get(countKey(scope), z.object({ taken: z.number() }));
    return (counter?.taken ?? 0) >= MAX_SANDBOX_JOBS;
  }

  /** Builds the update that counts one more job. The transaction fails at the sandbox limit. */
  reserveItem(scope: TeamScope): WriteItem {
    const { Update } = countUpdate(this.#table, scope, 1);
    const values = { ...Update.ExpressionAttributeValues, ":most": MAX_SANDBOX_JOBS };
    const isBelow = "attribute_not_exists(taken) OR taken < :most";
    return { Update: { ...Update, ConditionExpression: isBelow, ExpressionAttributeValues: values } };
  }

  /** Builds the writes of a new job. A job that waits for its files expires. */
  createItems(scope: TeamScope, job: ReportJob, nowMs: number): WriteItem[] {
    const isPending = job.status === "upload_pending";
    const expiry = isPending ? { expires_at: Math.floor(nowMs / 1000) + UPLOAD_WINDOW_S } : {};
    const condition = { ConditionExpression: NOT_EXISTS };
    return [
      this.#put({ ...jobKey(scope, job.id), ...job, ...this.#due(job, nowMs + GRACE_MS), ...expiry }, condition),
      this.#put({ pk: userReportsPartition(scope, job.user_id), sk: `${JOB_PREFIX}${job.id}`, ...expiry }),
    ];
  }

  /** Builds the writes that start a job whose files have arrived. */
  startItems(scope: TeamScope, before: ReportJob, after: ReportJob, nowMs: number): WriteItem[] {
    return [
      this.#put({ ...jobKey(scope, after.id), ...after, ...this.#due(after, nowMs + GRACE_MS) }, ifUnchanged(before)),
      this.#put({ pk: userReportsPartition(scope, after.user_id), sk: `${JOB_PREFIX}${after.id}` }),
    ];
  }

  /** Returns the index attributes of a job that is due for parsing. */
  #due({ id, status }: ReportJob, dueMs: number) {
    if (status !== "started") return {};
    return { due_shard: shards.of(id), due_at: isoAt(dueMs) };
  }

  #put(Item: Key & Record<string, unknown>, condition = {}): WriteItem {
    return { Put: { TableName: this.#table.name, Item, ...condition } };
  }

  /** Acquires one of the team's readers for a run; undefined while other runs hold all of them. */
  acquireReader(scope: TeamScope, holder: string, nowMs: number): Promise<ReaderSlot | undefined> {
    return acquireReader(this.#table, scope, holder, { nowMs, untilMs: nowMs + LEASE_MS });
  }

  releaseReader(scope: TeamScope, slot: ReaderSlot): Promise<void> {
    return releaseReader(this.#table, scope, slot);
  }

  /** Claims a job for one run; undefined if it has ended, was erased, or another run may still be active. */
  async claim(scope: TeamScope, id: string, nowMs: number): Promise<ReportJob | undefined> {
    const item = await this.#change(scope, id, {
      UpdateExpression: "SET lease_until = :until, due_at = :due ADD attempts :one",
      ConditionExpression: "#status = :started AND (attribute_not_exists(lease_until) OR lease_until <= :now)",
      ExpressionAttributeValues: {
        ":now": nowMs,
        ":until": nowMs + LEASE_MS,
        ":due": isoAt(nowMs + LEASE_MS),
        ":one": 1,
      },
    });
    return item && reportJob.parse(item);
  }

  /** Releases a claimed job after a run without an outcome. */
  async release(scope: TeamScope, { id, attempts }: ReportJob, nowMs: number): Promise<void> {
    await this.#change(scope, id, {
      UpdateExpression: "SET due_at = :due REMOVE lease_until",
      ConditionExpression: "#status = :started AND attempts = :attempts",
      ExpressionAttributeValues: { ":attempts": attempts, ":due": isoAt(nowMs + GRACE_MS) },
    });
  }

  #change(scope: TeamScope, id: string, change: ItemUpdate) {
    const values = { ...change.ExpressionAttributeValues, ":started": "started" };
    const named = { ...change, ExpressionAttributeNames: { "#status": "status" }, ExpressionAttributeValues: values };
    return unlessConditionFailed(this.#table.update(jobKey(scope, id), named));
  }

  /**
   * Builds the writes that complete a run or a review. They fail if the job has changed.
   * @param at ISO 8601.
   * @throws TooLarge.
   */
  completeItems(
    scope: TeamScope,
    before: ReportJob,
    after: ReportJob,
    read: ReportContent | undefined,
    at: string,
  ): WriteItem[] {
    const content = read ? { content: compressJson(read) } : {};
    const result = { pk: userReportsPartition(scope, after.user_id), sk: `${RESULT_PREFIX}${at}#${after.id}` };
    return [
      this.#put({ ...jobKey(scope, after.id), ...after, ...content }, ifUnchanged(before)),
      ...(after.status === "completed" ? [this.#put(result)] : []),
      ...(before.is_counted && !after.is_counted ? [countUpdate(this.#table, scope, -1)] : []),
    ];
  }

  /**
   * Returns the positions of a user's completed jobs, newest results first.
   * @param after position at which the previous page ended.
   */
  listResultPositions(scope: TeamScope, userId: string, limit: number, after: string | undefined) {
    return findResultPositions(this.#table, userReportsPartition(scope, userId), limit, after);
  }

  /** Returns the completed jobs at list positions, in their order; undefined for a deleted job. */
  getResults(scope: TeamScope, places: readonly string[]) {
    return getReports(this.#table, scope, places.map(jobIdOf));
  }

  /** Returns jobs that wait for a review. */
  listWaiting(scope: TeamScope, after: string | undefined, limit: number) {
    return findWaitingReports(this.#table, scope, after, limit);
  }

  /** Returns jobs that should have been parsed by now, and the next due time of the sweeper, ISO 8601. */
  async listDue(nowMs: number): Promise<DueItems<ReportMessage>> {
    const { due, nextDueAt } = await shards.find(this.#table, waitingJob, nowMs);
    return { due: due.map(({ team_id, id }) => ({ team_id, job_id: id })), nextDueAt };
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return eraseReports(this.#table, scope, userId);
  }
}

const ifUnchanged = ({ status, version, attempts }: ReportJob) => ({
  ConditionExpression: "#status = :status AND version = :version AND attempts = :attempts",
  ExpressionAttributeNames: { "#status": "status" },
  ExpressionAttributeValues: { ":status": status, ":version": version, ":attempts": attempts },
});
