import type * as z from "zod";
import { acceptBatch, isTooMany } from "../../domain/acceptance.ts";
import { MOST_RECORDS } from "../../domain/batch.ts";
import type { ingestBody } from "../../domain/ingest-body.ts";
import { type HistoryEnd, joinRanges, rangesOf, type SyncPart } from "../../domain/linking/sync-part.ts";
import type { SyncPartStore } from "../../store/linking/sync-parts.ts";
import type { ReceiptStore } from "../../store/receipts.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { UserStore } from "../../store/users.ts";
import type { Bucket } from "../bucket.ts";
import { BodyTooLarge, UserNotFound } from "../errors.ts";
import { queueBatch } from "../ingestion.ts";
import { ports } from "../ports.ts";
import type { Queue } from "../queue.ts";
import { converterFor } from "../unit-conversion.ts";
import type { Work } from "../work-limit.ts";

export interface SyncingUses {
  readonly users: UserStore;
  readonly receipts: ReceiptStore;
  readonly ingestion: Queue;
  readonly batches: Bucket;
  readonly syncParts: SyncPartStore;
  readonly historyEnds: Queue;
}

/** A part of a synchronisation, as sent by a phone. */
interface SentPart extends Omit<z.output<typeof ingestBody>, "is_final"> {
  readonly sync_id: string;
  readonly part: number;
  readonly done: boolean;
  readonly deleted: Readonly<Record<string, readonly unknown[]>>;
}

export interface Phone {
  readonly scope: TeamScope;
  readonly userId: string;
  /** The budgets charged for the data of the phone. */
  readonly work: Pick<Work, "spend">;
}

/** Accepts a part once. A repeated part gets the same answer. @throws UserNotFound, BodyTooLarge. */
export async function syncPhone(uses: SyncingUses, phone: Phone, sent: SentPart): Promise<SyncPart["answer"]> {
  if (isTooMany(sent.resources) || isTooMany(sent.deleted))
    throw new BodyTooLarge(`More than ${MOST_RECORDS} records; send smaller parts.`);
  const { scope, userId } = phone;
  const known = await uses.syncParts.get(scope, userId, sent.sync_id, sent.part);
  const { answer } = known ?? (await takePart(uses, phone, sent));
  // Also for a repeated part: the first request may have stopped after it stored the part.
  if (sent.done && sent.stage === "historical") await endSync(uses, phone, sent);
  return answer;
}

async function takePart(uses: SyncingUses, { scope, userId, work }: Phone, sent: SentPart): Promise<SyncPart> {
  const user = await uses.users.get(scope, userId);
  if (!user) throw new UserNotFound();
  const { provider, source_type, device, stage, resources, deleted, sync_id, part } = sent;
  const now = ports().clock.now();
  const raw = { provider, source_type, stage, resources, deleted, device_id: device?.id ?? null, is_final: false };
  const accepted = acceptBatch(raw, user, now, await converterFor(resources));
  const receipt_id = await queueBatch(uses, scope, userId, accepted, now, work);
  const answer = { receipt_id, accepted: accepted.accepted, rejected: [...accepted.rejected] };
  return uses.syncParts.keep(scope, userId, sync_id, part, { answer, ranges: rangesOf(accepted.batch) }, now);
}

async function endSync({ syncParts, historyEnds }: SyncingUses, { scope, userId }: Phone, sent: SentPart) {
  const parts = await syncParts.list(scope, userId, sent.sync_id);
  const end: HistoryEnd = {
    team_id: scope.teamId,
    user_id: userId,
    provider: sent.provider,
    source_type: sent.source_type,
    history_id: `sync#${sent.provider}#${sent.sync_id}`,
    received_at: ports().clock.now(),
    ranges: joinRanges(parts.map(({ ranges }) => ranges)),
  };
  await historyEnds.send(end);
}
