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

/** A run has ended for sure this long after it began. */
const LEASE_MS = PARSE_RUN_S * 1000 + 60_000;
/** How long after its message was sent, or a run has failed, a job that waits is looked for by the sweeper. */
const GRACE_MS = 60_000;

const isoAt = (ms: number) => new Date(ms).toISOString();

/** Lab reports that are parsed. All instants are epoch milliseconds of the caller's clock. */
export class LabReportStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, id: string): Promise<StoredReport | undefined> {
    return this.#table.get(jobKey(scope, id), jobItem);
  }

  /** Whether the team has as many jobs as a sandbox allows. */
  async isFull(scope: TeamScope): Promise<boolean> {
    const counter = await this.#table.get(countKey(scope), z.object({ taken: z.number() }));
    return (counter?.taken ?? 0) >= MOST_SANDBOX_JOBS;
  }

  /** Counts one job more. The transaction is refused when the team has as many as a sandbox allows. */
  countItem(scope: TeamScope): WriteItem {
    const { Update } = addCount(this.#table, scope, 1);
    const values = { ...Update.ExpressionAttributeValues, ":most": MOST_SANDBOX_JOBS };
    const isBelow = "attribute_not_exists(taken) OR taken < :most";
    return { Update: { ...Update, ConditionExpression: isBelow, ExpressionAttributeValues: values } };
  }

  /** First writes of a job. One that still waits for its files expires by itself. */
  createItems(scope: TeamScope, job: ReportJob, nowMs: number): WriteItem[] {
    const isPending = job.status === "upload_pending";
    const expiry = isPending ? { expires_at: Math.floor(nowMs / 1000) + UPLOAD_S } : {};
    const condition = { ConditionExpression: isNew };
    return [
      this.#put({ ...jobKey(scope, job.id), ...job, ...this.#due(job, nowMs + GRACE_MS), ...expiry }, condition),
      this.#put({ pk: listOf(scope, job.user_id), sk: `${JOB}${job.id}`, ...expiry }),
    ];
  }

  /** The files of a job that waited for them are there. */
  startItems(scope: TeamScope, before: ReportJob, after: ReportJob, nowMs: number): WriteItem[] {
    return [
      this.#put({ ...jobKey(scope, after.id), ...after, ...this.#due(after, nowMs + GRACE_MS) }, stillIs(before)),
      this.#put({ pk: listOf(scope, after.user_id), sk: `${JOB}${after.id}` }),
    ];
  }

  /** Where the sweeper finds a job that is to be parsed. */
  #due({ id, status }: ReportJob, dueMs: number) {
    if (status !== "started") return {};
    return { due_shard: dueShardOf(id), due_at: isoAt(dueMs) };
  }

  #put(Item: Key & Record<string, unknown>, condition = {}): WriteItem {
    return { Put: { TableName: this.#table.name, Item, ...condition } };
  }

  /** One of the team's readers for a run; undefined while its other runs have all of them. */
  takeReader(scope: TeamScope, holder: string, nowMs: number): Promise<ReaderSlot | undefined> {
    return takeReader(this.#table, scope, holder, { nowMs, untilMs: nowMs + LEASE_MS });
  }

  freeReader(scope: TeamScope, slot: ReaderSlot): Promise<void> {
    return freeReader(this.#table, scope, slot);
  }

  /** Takes a job for one run; undefined when it has ended, was erased, or a run that may be alive is at it. */
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

  /** Gives a claimed job back after a run without an outcome. */
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

  /** Ends a run or a review, unless the job has changed since it was read. @param at ISO 8601. @throws TooLarge. */
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

  /** Where a page of the completed jobs of a user is, the newest results first. @param after where the page before ended. */
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

  /** The completed jobs at some places of a list, in their order; undefined for one that is gone. */
  async readResults(scope: TeamScope, places: readonly string[]) {
    const ids = places.map(idOf);
    const found = await this.#table.getMany(
      ids.map((id) => jobKey(scope, id)),
      jobItem,
    );
    const byId = new Map(found.map((one) => [one.job.id, one]));
    return ids.map((id) => byId.get(id));
  }

  /** Jobs that should have been parsed by now, and when the sweeper has to look again, ISO 8601. */
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
