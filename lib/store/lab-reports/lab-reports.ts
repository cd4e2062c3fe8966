import * as z from "zod";
import {
  MOST_SANDBOX_JOBS,
  PARSE_RUN_S,
  type ReadReport,
  type ReportJob,
  reportJob,
  UPLOAD_S,
} from "../../domain/lab-reports/report-job.ts";
import { ConditionFailed } from "../condition-failed.ts";
import { pack } from "../results/packed.ts";
import { isNew, type Key, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";
import { dueShardOf, findDueReports } from "./due-reports.ts";
import { addCount, eraseReports } from "./erased-reports.ts";
import { freeReader, type ReaderSlot, takeReader } from "./reader-slots.ts";
import { countKey, idOf, JOB, jobItem, jobKey, listed, listOf, RESULT, type StoredReport } from "./report-keys.ts";

/** Lease of a run: it has ended for certain this long after its start. */
const LEASE_MS = PARSE_RUN_S * 1000 + 60_000;
/** Delay after a message or a failed run, after which the sweeper finds a waiting job. */
const GRACE_MS = 60_000;

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
  async isFull(scope: TeamScope): Promise<boolean> {
    const counter = await this.#table.get(countKey(scope), z.object({ taken: z.number() }));
    return (counter?.taken ?? 0) >= MOST_SANDBOX_JOBS;
  }

  /** Builds the update that counts one more job. The transaction fails at the sandbox limit. */
  countItem(scope: TeamScope): WriteItem {
    const { Update } = addCount(this.#table, scope, 1);
    const values = { ...Update.ExpressionAttributeValues, ":most": MOST_SANDBOX_JOBS };
    const isBelow = "attribute_not_exists(taken) OR taken < :most";
    return { Update: { ...Update, ConditionExpression: isBelow, ExpressionAttributeValues: values } };
  }

  /** Builds the writes of a new job. A job that waits for its files expires. */
  createItems(scope: TeamScope, job: ReportJob, nowMs: number): WriteItem[] {
    const isPending = job.status === "upload_pending";
    const expiry = isPending ? { expires_at: Math.floor(nowMs / 1000) + UPLOAD_S } : {};
    const condition = { ConditionExpression: isNew };
    return [
      this.#put({ ...jobKey(scope, job.id), ...job, ...this.#due(job, nowMs + GRACE_MS), ...expiry }, condition),
      this.#put({ pk: listOf(scope, job.user_id), sk: `${JOB}${job.id}`, ...expiry }),
    ];
  }

  /** Builds the writes that start a job whose files have arrived. */
  startItems(scope: TeamScope, before: ReportJob, after: ReportJob, nowMs: number): WriteItem[] {
    return [
      this.#put({ ...jobKey(scope, after.id), ...after, ...this.#due(after, nowMs + GRACE_MS) }, stillIs(before)),
      this.#put({ pk: listOf(scope, after.user_id), sk: `${JOB}${after.id}` }),
    ];
  }

  /** Returns the index attributes of a job that is due for parsing. */
  #due({ id, status }: ReportJob, dueMs: number) {
    if (status !== "started") return {};
    return { due_shard: dueShardOf(id), due_at: isoAt(dueMs) };
  }

  #put(Item: Key & Record<string, unknown>, condition = {}): WriteItem {
    return { Put: { TableName: this.#table.name, Item, ...condition } };
  }

  /** Acquires one of the team's readers for a run; undefined while other runs hold all of them. */
  takeReader(scope: TeamScope, holder: string, nowMs: number): Promise<ReaderSlot | undefined> {
    return takeReader(this.#table, scope, holder, { nowMs, untilMs: nowMs + LEASE_MS });
  }

  freeReader(scope: TeamScope, slot: ReaderSlot): Promise<void> {
    return freeReader(this.#table, scope, slot);
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

  async #change(scope: TeamScope, id: string, change: Parameters<Table["update"]>[1]) {
    const values = { ...change.ExpressionAttributeValues, ":started": "started" };
    const names = { "#status": "status" };
    try {
      const named = { ...change, ExpressionAttributeNames: names, ExpressionAttributeValues: values };
      return await this.#table.update(jobKey(scope, id), named);
    } catch (error) {
      if (error instanceof ConditionFailed) return undefined;
      throw error;
    }
  }

  /**
   * Builds the writes that complete a run or a review. They fail if the job has changed.
   * @param at ISO 8601.
   * @throws TooLarge.
   */
  endItems(
    scope: TeamScope,
    before: ReportJob,
    after: ReportJob,
    read: ReadReport | undefined,
    at: string,
  ): WriteItem[] {
    const content = read ? { content: pack(read) } : {};
    const result = { pk: listOf(scope, after.user_id), sk: `${RESULT}${at}#${after.id}` };
    return [
      this.#put({ ...jobKey(scope, after.id), ...after, ...content }, stillIs(before)),
      ...(after.status === "completed" ? [this.#put(result)] : []),
      ...(before.is_counted && !after.is_counted ? [addCount(this.#table, scope, -1)] : []),
    ];
  }

  /**
   * Returns the positions of a user's completed jobs, newest results first.
   * @param after position at which the previous page ended.
   */
  async listResults(scope: TeamScope, userId: string, limit: number, after: string | undefined) {
    const pk = listOf(scope, userId);
    const page = await this.#table.query(
      {
        KeyConditionExpression: "pk = :pk AND begins_with(sk, :result)",
        ExpressionAttributeValues: { ":pk": pk, ":result": RESULT },
        ScanIndexForward: false,
        Limit: limit,
        ...(after === undefined ? {} : { ExclusiveStartKey: { pk, sk: after } }),
      },
      listed,
    );
    return { places: page.items.map(({ sk }) => sk), isMore: page.lastKey !== undefined };
  }

  /** Returns the completed jobs at list positions, in their order; undefined for a deleted job. */
  async readResults(scope: TeamScope, places: readonly string[]) {
    const ids = places.map(idOf);
    const found = await this.#table.getMany(
      ids.map((id) => jobKey(scope, id)),
      jobItem,
    );
    const byId = new Map(found.map((one) => [one.job.id, one]));
    return ids.map((id) => byId.get(id));
  }

  /** Returns jobs that should have been parsed by now, and the next due time of the sweeper, ISO 8601. */
  due(nowMs: number): ReturnType<typeof findDueReports> {
    return findDueReports(this.#table, isoAt(nowMs));
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return eraseReports(this.#table, scope, userId);
  }
}

const stillIs = ({ status, version, attempts }: ReportJob) => ({
  ConditionExpression: "#status = :status AND version = :version AND attempts = :attempts",
  ExpressionAttributeNames: { "#status": "status" },
  ExpressionAttributeValues: { ":status": status, ":version": version, ":attempts": attempts },
});
