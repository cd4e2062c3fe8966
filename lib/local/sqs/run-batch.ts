import { SqsError } from "./sqs-error.ts";

const MAX_ENTRIES = 10;
const idPattern = /^[\w-]{1,80}$/;

/** Validates a batch: one to ten entries with well-formed, distinct ids. @throws SqsError */
export function validateBatch(entries: readonly { readonly Id: string }[]): void {
  if (entries.length === 0) {
    throw new SqsError("EmptyBatchRequest", "There should be at least one entry in the request.");
  }
  if (entries.length > MAX_ENTRIES) {
    const limit = `Maximum number of entries per request are ${MAX_ENTRIES}.`;
    throw new SqsError("TooManyEntriesInBatchRequest", `${limit} You have sent ${entries.length}.`);
  }
  if (entries.some((entry) => !idPattern.test(entry.Id))) {
    throw new SqsError(
      "InvalidBatchEntryId",
      "A batch entry id can have 1 to 80 letters, digits, hyphens, underscores.",
    );
  }
  if (new Set(entries.map((entry) => entry.Id)).size < entries.length) {
    throw new SqsError("BatchEntryIdsNotDistinct", "Two or more batch entries in the request have the same Id.");
  }
}

/** Runs each entry. A failed entry is reported under Failed and does not stop the others. */
export function runBatch<Entry extends { readonly Id: string }>(
  entries: readonly Entry[],
  run: (entry: Entry) => object,
): object {
  const successful: object[] = [];
  const failed: object[] = [];
  for (const entry of entries) {
    try {
      successful.push({ Id: entry.Id, ...run(entry) });
    } catch (error) {
      // A missing queue fails the whole batch.
      if (!(error instanceof SqsError) || error.kind === "QueueDoesNotExist") throw error;
      failed.push({ Id: entry.Id, SenderFault: true, Code: error.queryCode, Message: error.message });
    }
  }
  return {
    ...(successful.length > 0 && { Successful: successful }),
    ...(failed.length > 0 && { Failed: failed }),
  };
}
