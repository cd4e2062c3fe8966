import {
  blockHash,
  type ChainBlock,
  EntriesDigest,
  genesisHash,
  hourOf,
  hourStart,
  LOG_RETENTION_S,
  type SealedLog,
  sealableAtMs,
  sealedLogName,
} from "../../domain/audit/hash-chain.ts";
import { AccessLogStore } from "../../store/audit/access-log.ts";
import { AuditChainStore } from "../../store/audit/audit-chains.ts";
import { AuditLogStore } from "../../store/audit/audit-log.ts";
import { countLogEntries, type EntryCountByHour } from "../../store/audit/count-log-entries.ts";
import type { Table } from "../../store/table.ts";

/** A log line of `sealAccessLog`: the hash of a block at creation, stored independently of the table. */
export interface Anchor {
  readonly chain: string;
  readonly n: number;
  readonly sha256: string;
}

/** The result for one log. */
export interface ChainReport {
  readonly chain: string;
  readonly blocks: number;
  /** Entries in verified blocks. */
  readonly entries: number;
  /** Entries of hours that are not sealed yet. */
  readonly open: number;
  /** Number of anchors of the chain. */
  readonly anchored: number;
  /** The first violation. */
  readonly broken?: string;
}

/** Input of a verification. */
export interface VerificationInput {
  /** Epoch ms. */
  readonly now: number;
  readonly anchors: readonly Anchor[];
}

/** Maximum delay of a seal. It allows a few runs of the schedule to fail. */
const LATE_MS = 3 * 3_600_000;

/**
 * Recomputes every hash chain of the audit table. Compares each block with its entries and its predecessor, and the end
 * of the chain with its head and anchors. Reports entries that have no block for too long.
 */
export async function* verifyChains(table: Table, against: VerificationInput): AsyncGenerator<ChainReport> {
  const hours = await countLogEntries(table);
  const names = new Set([...hours.keys(), ...against.anchors.map(({ chain }) => chain)]);
  for (const name of [...names].toSorted()) {
    const [kind, id = ""] = name.split("#");
    const log: SealedLog = { kind: kind === "access" ? "access" : "management", id };
    yield await verifyChain(table, log, hours.get(name) ?? new Map(), against);
  }
}

async function verifyChain(
  table: Table,
  log: SealedLog,
  hours: EntryCountByHour,
  against: VerificationInput,
): Promise<ChainReport> {
  const chains = new AuditChainStore(table);
  const blocks = await Array.fromAsync(chains.listBlocks(log));
  const anchors = against.anchors.filter(({ chain }) => chain === sealedLogName(log));
  const found = { chain: sealedLogName(log), blocks: blocks.length, anchored: anchors.length };
  const covered = new Set(blocks.map(({ from }) => hourOf(from)));
  const uncovered = [...hours].filter(([hour]) => !covered.has(hour));
  const open = uncovered.reduce((sum, [, count]) => sum + count, 0);
  let entries = 0;
  const broken =
    findBrokenLink(log, blocks, against.now) ??
    findWrongHead(blocks, await chains.getHead(log)) ??
    findAnchorMismatch(blocks, anchors, against.now) ??
    findStrayEntries(uncovered, blocks.at(-1), against.now);
  if (broken) return { ...found, entries, open, broken };
  for (const block of blocks.filter((one) => !isRetentionOver(one.from, against.now))) {
    const digest = await computeDigest(table, log, block);
    if (digest.count !== block.count)
      return { ...found, entries, open, broken: describeCountMismatch(block, digest.count) };
    if (digest.end() !== block.entries) {
      return { ...found, entries, open, broken: `${describeBlock(block)}: an entry differs from its seal` };
    }
    entries += block.count;
  }
  return { ...found, entries, open };
}

const describeBlock = ({ n, from }: ChainBlock) => `block ${n} (${from})`;
const describeCountMismatch = (block: ChainBlock, count: number) =>
  `${describeBlock(block)}: has ${count} entries, but ${block.count} were sealed`;
/** Whether the retention period is over, so that entries may be gone. */
const isRetentionOver = (from: string, now: number) => Date.parse(from) + LOG_RETENTION_S * 1000 <= now;

async function computeDigest(table: Table, { kind, id }: SealedLog, { from }: ChainBlock): Promise<EntriesDigest> {
  const store = kind === "access" ? new AccessLogStore(table) : new AuditLogStore(table);
  const digest = new EntriesDigest();
  for await (const item of store.listHourItems(id, hourOf(from))) digest.add(item);
  return digest;
}

/**
 * Finds a block with a wrong hash or predecessor. Blocks before the first one are missing only after their retention.
 */
function findBrokenLink(log: SealedLog, blocks: readonly ChainBlock[], now: number): string | undefined {
  for (const [place, block] of blocks.entries()) {
    if (blockHash(block) !== block.sha256) return `${describeBlock(block)}: its hash does not match its content`;
    const before = blocks[place - 1];
    const previous = before ?? (block.n === 1 ? { n: 0, sha256: genesisHash(log) } : undefined);
    const isBeginningOver =
      previous === undefined && block.previous_from !== null && isRetentionOver(block.previous_from, now);
    if (isBeginningOver) continue;
    if (previous?.n !== block.n - 1) return `block ${(previous?.n ?? 0) + 1} is missing`;
    if (previous.sha256 !== block.previous) return `${describeBlock(block)}: it does not link to the previous block`;
  }
  return undefined;
}

function findWrongHead(blocks: readonly ChainBlock[], head: ChainBlock | undefined): string | undefined {
  const last = blocks.at(-1);
  if (head && head.n > (last?.n ?? 0)) return `block ${(last?.n ?? 0) + 1} is missing`;
  return head?.sha256 === last?.sha256
    ? undefined
    : `the head does not match ${last ? describeBlock(last) : "a block"}`;
}

function findAnchorMismatch(
  blocks: readonly ChainBlock[],
  anchors: readonly Anchor[],
  now: number,
): string | undefined {
  const byNumber = new Map(blocks.map((block) => [block.n, block]));
  const first = blocks[0];
  for (const { n, sha256 } of anchors.toSorted((one, other) => one.n - other.n)) {
    const block = byNumber.get(n);
    const isGone = first && n < first.n && first.previous_from !== null && isRetentionOver(first.previous_from, now);
    if (!block && !isGone) return `block ${n} is missing, but was logged`;
    if (block && block.sha256 !== sha256) return `${describeBlock(block)}: its hash differs from the logged one`;
  }
  return undefined;
}

/** Finds entries without a block: in an hour before the last block, or unsealed for too long. */
function findStrayEntries(uncovered: readonly [string, number][], last: ChainBlock | undefined, now: number) {
  const begin = last ? hourOf(last.from) : "";
  const [stray] = uncovered
    .filter(([hour]) => hour < begin || sealableAtMs(hour) + LATE_MS < now)
    .filter(([hour]) => !isRetentionOver(hourStart(hour), now))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return stray && `${stray[1]} entries of ${stray[0]}:00 are in no block`;
}
