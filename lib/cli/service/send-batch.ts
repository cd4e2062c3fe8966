import { setTimeout as pause } from "node:timers/promises";
import { type IngestReceipt, wireIngestAcceptance, wireIngestReceipt } from "../../domain/ingest/receipt.ts";
import { CommandFailed } from "../frame/command-failed.ts";
import type { ApiTarget } from "./api-target.ts";
import { ServiceClient } from "./service-client.ts";

const POLL_MS = 250;
const MAX_POLLS = 240;

/** The response to a batch, with the counts of its receipt once the records are stored. */
export type SentBatch = Pick<IngestReceipt, "receipt_id" | "rejected"> &
  Partial<IngestReceipt> & { readonly accepted: number };

/** Sends a batch of a user. @param waits until it is stored. @throws CommandFailed if the service refuses it. */
export async function sendBatch(
  { baseUrl, apiKey }: ApiTarget,
  userId: string,
  body: string,
  waits: boolean,
): Promise<SentBatch> {
  const client = new ServiceClient(baseUrl, { "x-service-api-key": apiKey });
  const path = `/v2/ingest/${encodeURIComponent(userId)}`;
  const accepted = await client.call(wireIngestAcceptance, "POST", path, body);
  if (!waits) return accepted;
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    const receipt = await client.call(wireIngestReceipt, "GET", `${path}/${accepted.receipt_id}`);
    if (receipt.status === "done") return { ...receipt, accepted: accepted.accepted };
    await pause(POLL_MS);
  }
  throw new CommandFailed(`The batch ${accepted.receipt_id} is not stored after ${(MAX_POLLS * POLL_MS) / 1000} s.`);
}

/** Formats a receipt for people: one line of counts, and one for each rejection. */
export function formatReceipt({ receipt_id, accepted, rejected, ...counts }: SentBatch): string {
  const { status, stored = 0, updated = 0, unchanged = 0 } = counts;
  const settled = status === "done" ? `, ${stored} stored, ${updated} updated, ${unchanged} unchanged` : "";
  const lines = rejected.map(({ resource, index, field, reason, detail }) => {
    return `  ${resource}[${index}]${field === null ? "" : `.${field}`}: ${reason}, ${detail}`;
  });
  return [`Receipt ${receipt_id}: ${accepted} accepted${settled}, ${rejected.length} rejected`, ...lines].join("\n");
}
