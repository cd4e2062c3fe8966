import * as z from "zod";
import type { Table } from "../table.ts";
import { receiptTime } from "./receipt-id.ts";

/**
 * Sort key of the item that names the instant before which all receipts of a user are closed. It sorts after every
 * receipt id of the next thousand years.
 */
export const SETTLED = "settled";
/** Closed receipts that a search may pass before it records how far it came. */
const MAX_PASSED_RECEIPTS = 16;
/** A receipt is opened within this time after its batch was received: longer than a function runs. */
const OPENED_WITHIN_MS = 3_600_000;

const settledItem = z.object({ before: z.string() });
const statusItem = z.object({ sk: z.string(), status: z.string() });

/**
 * Whether a receipt of a partition that was received up to `receivedAt` (epoch ms), other than `receiptId`, is pending.
 * Closed receipts stay in the partition, so the search starts where an earlier one found the last of them.
 */
export async function hasOlderPending(
  table: Table,
  pk: string,
  receiptId: string,
  receivedAt: number,
): Promise<boolean> {
  const settled = await table.get({ pk, sk: SETTLED }, settledItem);
  const input = {
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :later",
    ProjectionExpression: "sk, #status",
    ExpressionAttributeNames: { "#status": "status" },
    ExpressionAttributeValues: { ":pk": pk, ":from": settled?.before ?? "0", ":later": receiptTime(receivedAt + 1) },
  };
  let passed = 0;
  let last = "";
  let isOwnPassed = false;
  for await (const { sk, status } of table.queryAll(input, statusItem)) {
    if (status === "pending" && sk !== receiptId) return true;
    isOwnPassed ||= status === "pending";
    if (isOwnPassed) continue;
    passed++;
    last = sk;
  }
  const before = [last, receiptTime(receivedAt - OPENED_WITHIN_MS)].sort()[0] ?? "";
  if (passed > MAX_PASSED_RECEIPTS && before > (settled?.before ?? "")) await table.put({ pk, sk: SETTLED, before });
  return false;
}
