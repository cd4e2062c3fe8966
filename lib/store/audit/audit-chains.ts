import { auditChains } from "../../contract/resources.ts";
import {
  type ChainBlock,
  chainBlock,
  hourOf,
  LOG_RETENTION_S,
  type SealedLog,
  sealedLogName,
} from "../../domain/audit/hash-chain.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, type Table } from "../table.ts";
import type { WriteItem } from "../transaction.ts";

const HEAD = "head";
const partition = (log: SealedLog) => `${auditChains.keyPrefix}${sealedLogName(log)}`;
const headKey = (log: SealedLog): Key => ({ pk: partition(log), sk: HEAD });
const blockKey = (log: SealedLog, { from }: ChainBlock): Key => ({ pk: partition(log), sk: `block#${hourOf(from)}` });

/** Hash chains of blocks, one for each sealed log, with the head of each chain. */
export class AuditChainStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns the last block of a log. */
  getHead(log: SealedLog): Promise<ChainBlock | undefined> {
    return this.#table.get(headKey(log), chainBlock);
  }

  /** Yields all blocks of a log, oldest first. */
  listBlocks(log: SealedLog): AsyncGenerator<ChainBlock> {
    const values = { ":pk": partition(log), ":block": "block#" };
    const input = { KeyConditionExpression: "pk = :pk AND begins_with(sk, :block)", ExpressionAttributeValues: values };
    return this.#table.queryAll(input, chainBlock);
  }

  /** Builds the writes that append a block, on condition that it is new and its predecessor is still the head. */
  appendItems(log: SealedLog, block: ChainBlock): WriteItem[] {
    const TableName = this.#table.name;
    const expires_at = Math.floor(Date.parse(block.to) / 1000) + LOG_RETENTION_S;
    const item = { ...blockKey(log, block), ...block, expires_at };
    const followed =
      block.n === 1
        ? { ConditionExpression: NOT_EXISTS }
        : {
            ConditionExpression: "n = :n AND sha256 = :previous",
            ExpressionAttributeValues: { ":n": block.n - 1, ":previous": block.previous },
          };
    return [
      { Put: { TableName, Item: item, ConditionExpression: NOT_EXISTS } },
      { Put: { TableName, Item: { ...headKey(log), ...block }, ...followed } },
    ];
  }
}
