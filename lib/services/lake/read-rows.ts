import { DAY, dayOfDate, dayOfInstant, type LakeRow } from "../../domain/lake/lake-column.ts";
import type { LakeTableName } from "../../domain/lake/lake-tables.ts";
import { type SampleOrigin, toSampleRows } from "../../domain/lake/sample-rows.ts";
import { allTime } from "../../domain/shared/date-range.ts";
import type { SummaryKind } from "../../domain/summaries/summary-kind.ts";
import { findSummaryKind, summaryKinds } from "../../domain/summaries/summary-kinds.ts";
import { findResource, timeseriesResources } from "../../domain/timeseries/resources.ts";
import type { EventReference } from "../../events/catalogue/envelope.ts";
import type { StoredBatch } from "../../events/lake/lake-message.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { eventIdentityKey } from "../../store/events/outbox-items.ts";
import type { SummaryRecord } from "../../store/summaries/summary-record.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { toWireStoredSummary } from "../summaries/list-summaries.ts";

/** Dependencies of reading rows. */
export type ReadRowsDependencies = Dependencies<"chunks" | "summaries" | "outbox">;

/** Rows by the table that takes them. */
export type RowsByTable = Readonly<Partial<Record<LakeTableName, readonly LakeRow[]>>>;

/** Length of a batch id in chunks, the end of the receipt's id. */
const BATCH_ID_CHARACTERS = 8;

/** Reads what a batch set, as far as no later batch has replaced it: that batch brings the later version. */
export async function readBatchRows(
  deps: Pick<ReadRowsDependencies, "chunks" | "summaries">,
  scope: TeamScope,
  { user_id, receipt_id, received_at, samples, summaries }: StoredBatch,
): Promise<RowsByTable> {
  const batchId = receipt_id.slice(-BATCH_ID_CHARACTERS);
  const isOfBatch = (origin: SampleOrigin) => origin.batchId === batchId && origin.receivedAt === received_at;
  const sampleRows: LakeRow[] = [];
  for (const [name, [fromMs, toMs]] of Object.entries(samples)) {
    const resource = findResource(name);
    if (!resource) continue;
    const query = { range: { fromMs, toMs }, isConsistent: true, includesDeleted: true, readsWholeRange: true };
    for await (const slice of deps.chunks.read(scope, user_id, resource, query)) {
      sampleRows.push(...toSampleRows(user_id, resource, slice, isOfBatch));
    }
  }
  const summaryRows: LakeRow[] = [];
  for (const [name, [from, to]] of Object.entries(summaries)) {
    const kind = findSummaryKind(name);
    if (!kind) continue;
    for (const record of await deps.summaries.list(scope, user_id, kind, { from, to })) {
      if (record.receipt_id === receipt_id) summaryRows.push(toSummaryRow(kind, record));
    }
  }
  return { samples: sampleRows, summaries: summaryRows };
}

/** Reads all samples and summaries of a user. */
export async function readUserRows(
  deps: Pick<ReadRowsDependencies, "chunks" | "summaries">,
  scope: TeamScope,
  userId: string,
): Promise<RowsByTable> {
  const samples: LakeRow[] = [];
  for (const resource of timeseriesResources) {
    const query = { range: allTime, isConsistent: true, includesDeleted: true, readsWholeRange: true };
    for await (const slice of deps.chunks.read(scope, userId, resource, query)) {
      samples.push(...toSampleRows(userId, resource, slice, () => true));
    }
  }
  const summaries: LakeRow[] = [];
  for (const kind of summaryKinds) {
    for await (const record of deps.summaries.iterate(scope, userId, kind)) summaries.push(toSummaryRow(kind, record));
  }
  return { samples, summaries };
}

function toSummaryRow(kind: SummaryKind, record: SummaryRecord): LakeRow {
  return {
    [DAY]: dayOfDate(record.day),
    user_id: record.user_id,
    kind: kind.name,
    provider: record.provider,
    source_type: record.source_type,
    device_id: record.device_id,
    app_id: record.app_id ?? null,
    id: record.id,
    version: record.version,
    is_derived: record.derived !== undefined,
    derivation: record.derived ?? null,
    body: JSON.stringify(toWireStoredSummary(kind, record)),
    received_at: record.received_at,
    receipt: record.receipt_id,
  };
}

/** Reads events as rows, by {@link eventIdentityKey}. Leaves out events without a body: they expired or were erased. */
export async function readEventRows(
  { outbox }: Pick<ReadRowsDependencies, "outbox">,
  events: readonly EventReference[],
): Promise<Map<string, RowsByTable>> {
  const distinct = [...new Map(events.map((event) => [eventIdentityKey(event), event])).values()];
  const bodies = await outbox.getBodies(distinct);
  const created = await outbox.getCreationTimes(distinct);
  return new Map(
    distinct.flatMap((event): [string, RowsByTable][] => {
      const id = eventIdentityKey(event);
      const [body, at] = [bodies.get(id), created.get(id)];
      return body && at ? [[id, toEventRows(event, JSON.parse(body), Date.parse(at))]] : [];
    }),
  );
}

function toEventRows(event: EventReference, body: { readonly data: unknown }, createdMs: number): RowsByTable {
  const row = {
    [DAY]: dayOfInstant(createdMs),
    user_id: event.user_id || null,
    event_id: event.event_id,
    type: event.type,
    created_at: createdMs,
    version: event.version,
    body: JSON.stringify(body.data),
  };
  if (!event.type.startsWith("labtest.order.")) return { events: [row] };
  const { id, status } = body.data as { readonly id: string; readonly status?: string };
  return { events: [row], orders: [{ ...row, order_id: id, status: status ?? null }] };
}
