import type * as z from "zod";
import { getItem, putItem, queryItems, sendMessage } from "../../../contract/access.ts";
import { historyEnds } from "../../../contract/queues.ts";
import { syncParts } from "../../../contract/resources.ts";
import { announcedRanges } from "../../../domain/connections/pulls/announced-ranges.ts";
import { type CompletedHistory, mergeRanges, type SyncPart } from "../../../domain/connections/pulls/history-ranges.ts";
import { acceptBatch, exceedsMaxRecords } from "../../../domain/ingest/accept-batch.ts";
import { MAX_RECORDS_PER_REQUEST } from "../../../domain/ingest/batch.ts";
import type { ingestBody } from "../../../domain/ingest/ingest-body.ts";
import type { wireIngestAcceptance } from "../../../domain/ingest/receipt.ts";
import { toWireRejections } from "../../../domain/ingest/wire-rejections.ts";
import type { UserRecord } from "../../../domain/users/user.ts";
import type { WorkMeter } from "../../../runtime/callers/work-limit.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { BodyTooLarge } from "../../../runtime/errors.ts";
import { ports } from "../../../runtime/ports.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import { queueBatch } from "../../ingest/queue-batch.ts";
import { loadUnitConverter } from "../../timeseries/unit-conversion.ts";

export type SyncPhoneDependencies = Dependencies<"receipts" | "ingestion" | "batches" | "syncParts" | "historyEnds">;

/** Grants of {@link syncPhone}, besides those to queue a batch. */
export const syncPartsAccess = [
  getItem(syncParts),
  putItem(syncParts),
  queryItems(syncParts),
  sendMessage(historyEnds),
] as const;

/** A part of a synchronisation, as sent by a phone. */
interface SentPart extends Omit<z.output<typeof ingestBody>, "is_final"> {
  readonly sync_id: string;
  readonly part: number;
  readonly done: boolean;
  readonly deleted: Readonly<Record<string, readonly unknown[]>>;
}

export interface Phone {
  readonly scope: TeamScope;
  readonly user: UserRecord;
  /** The budgets charged for the data of the phone. */
  readonly work: Pick<WorkMeter, "spend">;
}

/** Accepts a part once. A repeated part gets the same answer. @throws BodyTooLarge. */
export async function syncPhone(
  deps: SyncPhoneDependencies,
  phone: Phone,
  sent: SentPart,
): Promise<z.output<typeof wireIngestAcceptance>> {
  if (exceedsMaxRecords(sent.resources) || exceedsMaxRecords(sent.deleted))
    throw new BodyTooLarge(`More than ${MAX_RECORDS_PER_REQUEST} records; send smaller parts.`);
  const { scope, user } = phone;
  const known = await deps.syncParts.get(scope, user.user_id, nameOf(sent));
  const { answer } = known ?? (await acceptPart(deps, phone, sent));
  // Also for a repeated part: the first request may have stopped after it stored the part.
  if (sent.done && sent.stage === "historical") await endSync(deps, phone, sent);
  return { ...answer, rejected: toWireRejections(answer.rejected) };
}

const nameOf = ({ provider, sync_id, part }: SentPart) => ({ provider, syncId: sync_id, part });

async function acceptPart(
  deps: SyncPhoneDependencies,
  { scope, user, work }: Phone,
  sent: SentPart,
): Promise<SyncPart> {
  const { provider, source_type, stage, resources, deleted } = sent;
  const now = ports().clock.now();
  const about = { device_id: sent.device?.id ?? null, app_id: sent.app?.id ?? null, is_final: false };
  const raw = { provider, source_type, stage, resources, deleted, ...about };
  const accepted = acceptBatch(raw, user, now, await loadUnitConverter(resources));
  const receipt_id = await queueBatch(deps, scope, user.user_id, accepted, now, work);
  const answer = { receipt_id, accepted: accepted.accepted, rejected: accepted.rejected };
  // New data may share the synchronisation of a history. It has daily events.
  const ranges = stage === "historical" ? announcedRanges(accepted.batch, user.fallback_time_zone.id) : {};
  const taken = { answer, ranges };
  return deps.syncParts.putIfAbsent(scope, user.user_id, nameOf(sent), taken, now);
}

async function endSync({ syncParts, historyEnds }: SyncPhoneDependencies, { scope, user }: Phone, sent: SentPart) {
  const parts = await syncParts.list(scope, user.user_id, nameOf(sent));
  const end: CompletedHistory = {
    team_id: scope.teamId,
    user_id: user.user_id,
    provider: sent.provider,
    source_type: sent.source_type,
    history_id: `sync#${sent.provider}#${sent.sync_id}`,
    received_at: ports().clock.now(),
    ranges: mergeRanges(parts.map(({ ranges }) => ranges)),
  };
  await historyEnds.send(end);
}
