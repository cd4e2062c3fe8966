import { type ChainBlock, EntriesDigest, hourOf, nameOf, nextBlock, sealableAt } from "../../domain/audit/chain.ts";
import type { AccessLogStore } from "../../store/audit/access-log.ts";
import type { AuditChainStore } from "../../store/audit/audit-chains.ts";
import type { AuditLogStore } from "../../store/audit/audit-log.ts";
import type { DueHour } from "../../store/audit/due-hours.ts";
import { ConditionFailed } from "../../store/condition-failed.ts";
import type { WriteItem } from "../../store/transaction.ts";
import type { Log } from "../log.ts";
import { ports } from "../ports.ts";

interface SealingUses {
  readonly accessLog: Pick<AccessLogStore, "due" | "itemsOf">;
  readonly auditLog: Pick<AuditLogStore, "due" | "itemsOf">;
  readonly auditChains: Pick<AuditChainStore, "head" | "appendItems">;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
}

/**
 * Message of the log line with a block's number and hash. `verify-audit` finds these lines, independent of the table.
 */
export const SEALED = "entries sealed";

/**
 * Seals all marked hours that are closed for writes, in order per log.
 * @returns the number of sealed hours, and when the next one can be sealed (ISO 8601; undefined if none is marked).
 */
export async function sealDueHours(uses: SealingUses, log: Log): Promise<{ sealed: number; nextDueAt?: string }> {
  const marked = await Promise.all([uses.accessLog.due.list(), uses.auditLog.due.list()]);
  const due = marked.flat().toSorted((one, other) => (one.hour < other.hour ? -1 : 1));
  const now = ports().clock.now();
  const ready = due.filter(({ hour }) => sealableAt(hour) <= now);
  for (const one of ready) await sealHour(one, uses, log);
  const next = due[ready.length];
  return { sealed: ready.length, ...(next && { nextDueAt: new Date(sealableAt(next.hour)).toISOString() }) };
}

async function sealHour(due: DueHour, uses: SealingUses, log: Log): Promise<void> {
  const { kind, id } = due.log;
  const store = kind === "access" ? uses.accessLog : uses.auditLog;
  const head = await uses.auditChains.head(due.log);
  // An interrupted run may have sealed the hour without logging it.
  const known = head && hourOf(head.from) >= due.hour ? head : undefined;
  const block = known ?? (await append(due, head, store.itemsOf(id, due.hour), uses));
  if (block) log.info(SEALED, { chain: nameOf(due.log), n: block.n, sha256: block.sha256, count: block.count });
  await store.due.remove(due);
}

/** @returns the block; undefined if the hour has no entries, or a concurrent run sealed it. */
async function append(
  { log, hour }: DueHour,
  head: ChainBlock | undefined,
  items: AsyncIterable<Readonly<Record<string, unknown>>>,
  { auditChains, commit }: SealingUses,
): Promise<ChainBlock | undefined> {
  const entries = new EntriesDigest();
  for await (const item of items) entries.add(item);
  // An hour is marked before its first entry, and the write of that entry may have failed.
  if (entries.count === 0) return undefined;
  const block = nextBlock(log, head, hour, entries);
  try {
    await commit(auditChains.appendItems(log, block));
    return block;
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}
