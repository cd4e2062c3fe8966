import {
  type ChainBlock,
  EntriesDigest,
  hourOf,
  nextBlock,
  sealableAtMs,
  sealedLogName,
} from "../../domain/audit/hash-chain.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import type { Log } from "../../runtime/log.ts";
import { ports } from "../../runtime/ports.ts";
import type { AccessLogStore } from "../../store/audit/access-log.ts";
import type { AuditChainStore } from "../../store/audit/audit-chains.ts";
import type { AuditLogStore } from "../../store/audit/audit-log.ts";
import type { UnsealedHour } from "../../store/audit/unsealed-hours.ts";
import { isConditionMet } from "../../store/condition-failed.ts";

type SealDueHoursDependencies = Dependencies<"commit"> & {
  readonly accessLog: Pick<AccessLogStore, "unsealedHours" | "listHourItems">;
  readonly auditLog: Pick<AuditLogStore, "unsealedHours" | "listHourItems">;
  readonly auditChains: Pick<AuditChainStore, "getHead" | "appendItems">;
};

/**
 * Message of the log line with a block's number and hash. `verify-audit` finds these lines, independent of the table.
 */
export const SEAL_LOG_MESSAGE = "entries sealed";

/**
 * Seals all marked hours that are closed for writes, in order per log.
 * @returns the number of sealed hours, and when the next one can be sealed (ISO 8601; undefined if none is marked).
 */
export async function sealDueHours(
  deps: SealDueHoursDependencies,
  log: Log,
): Promise<{ sealed: number; nextDueAt?: string }> {
  const marked = await Promise.all([deps.accessLog.unsealedHours.list(), deps.auditLog.unsealedHours.list()]);
  const due = marked.flat().toSorted((one, other) => (one.hour < other.hour ? -1 : 1));
  const now = ports().clock.now();
  const ready = due.filter(({ hour }) => sealableAtMs(hour) <= now);
  for (const one of ready) await sealHour(one, deps, log);
  const next = due[ready.length];
  return { sealed: ready.length, ...(next && { nextDueAt: new Date(sealableAtMs(next.hour)).toISOString() }) };
}

async function sealHour(due: UnsealedHour, deps: SealDueHoursDependencies, log: Log): Promise<void> {
  const { kind, id } = due.log;
  const store = kind === "access" ? deps.accessLog : deps.auditLog;
  const head = await deps.auditChains.getHead(due.log);
  // An interrupted run may have sealed the hour without logging it.
  const known = head && hourOf(head.from) >= due.hour ? head : undefined;
  const block = known ?? (await appendBlock(due, head, store.listHourItems(id, due.hour), deps));
  if (block)
    log.info(SEAL_LOG_MESSAGE, { chain: sealedLogName(due.log), n: block.n, sha256: block.sha256, count: block.count });
  await store.unsealedHours.delete(due);
}

/** @returns the block; undefined if the hour has no entries, or a concurrent run sealed it. */
async function appendBlock(
  { log, hour }: UnsealedHour,
  head: ChainBlock | undefined,
  items: AsyncIterable<Readonly<Record<string, unknown>>>,
  { auditChains, commit }: SealDueHoursDependencies,
): Promise<ChainBlock | undefined> {
  const entries = new EntriesDigest();
  for await (const item of items) entries.add(item);
  // An hour is marked before its first entry, and the write of that entry may have failed.
  if (entries.count === 0) return undefined;
  const block = nextBlock(log, head, hour, entries);
  return (await isConditionMet(commit(auditChains.appendItems(log, block)))) ? block : undefined;
}
