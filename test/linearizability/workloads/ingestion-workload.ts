import * as getReceipt from "../../../functions/ingest/get-receipt.ts";
import * as ingestBatch from "../../../functions/ingest/ingest-batch.ts";
import * as storeBatch from "../../../functions/ingest/store-batch.ts";
import * as getGroupedTimeseries from "../../../functions/timeseries/get-grouped-timeseries.ts";
import { createReceiptId } from "../../../lib/store/ingest/receipt-id.ts";
import { type Performed, toResult, type WorkloadFactory } from "../workload.ts";
import { createUser } from "./create-user.ts";

/** Instants within one time bucket. */
const INSTANTS = ["08:00", "08:01", "08:02", "08:03"] as const;
/** Characters of the random part of a receipt id. */
const ID_CHARACTERS = 16;
const DATE = "2026-04-05";

/** The part of a page that shows a sample. */
interface ShownSample {
  readonly start: string;
  readonly value: number;
}

/** Batches of one user: accepted, stored in any order and repeatedly, with their receipts and samples. */
export const createIngestionWorkload: WorkloadFactory = (service, random) => {
  let user_id = "";
  /** The samples of each batch by its receipt. */
  const sent = new Map<string, readonly string[]>();
  const ofReceipt = (object: string, name: string, result: Performed["result"]): Performed => ({
    ...{ kind: "receipts", object, name, args: [String(sent.get(object)?.length)], result },
  });
  const ofSamples = (name: string, args: readonly string[], result: Performed["result"]): Performed => ({
    ...{ kind: "samples", object: "samples", name, args, result },
  });

  const ingest = async () => {
    const instants = INSTANTS.filter(() => random.isWithinPercent(50));
    const chosen = instants.length > 0 ? instants : [random.pick(INSTANTS)];
    const samples = chosen.map((instant) => ({ instant, value: 50 + random.integerBelow(4) }));
    const heartrate = samples.map(({ instant, value }) => ({ timestamp: `${DATE}T${instant}:00Z`, value }));
    const context = service.newCall();
    const body = { provider: "oura", source_type: "ring", resources: { heartrate } };
    const answer = await service.call(ingestBatch, { path: { user_id }, body }, context);
    const result = toResult(answer, ({ receipt_id }) => ["accepted", receipt_id], {});
    // Without an answer, the id is one of those that the function drew.
    const drawn = context.drawn.filter((text) => text.length === ID_CHARACTERS);
    const receiptIds = result?.slice(1) ?? drawn.map((text) => createReceiptId(context.nowMs, text));
    for (const id of receiptIds)
      sent.set(
        id,
        samples.map(({ instant, value }) => `${instant}=${value}`),
      );
    return receiptIds.map((id) => ofReceipt(id, "ingest", result && ["accepted"]));
  };
  const store = async (text: string) => {
    const { receipt_id } = JSON.parse(text);
    const consumed = await service.consume(storeBatch, [{ attributes: {}, body: text }]);
    const result = consumed?.[0] ? ["done"] : null;
    return [
      ofReceipt(receipt_id, "store", result),
      ofSamples("store", [receipt_id, ...(sent.get(receipt_id) ?? [])], result),
    ];
  };
  return {
    async prepare() {
      user_id = await createUser(service);
    },
    async perform() {
      const kind = random.integerBelow(100);
      const messages = service.messages.filter((text) => text.includes("receipt_id"));
      if (messages.length === 0 || kind < 30) return ingest();
      if (kind < 65) return store(random.pick(messages));
      if (kind < 80) {
        const receipt_id = random.pick([...sent.keys()]);
        const answer = await service.call(getReceipt, { path: { user_id, receipt_id } });
        const shown = ({ status, stored, updated, unchanged }: Record<string, number>) =>
          String(status) === "pending"
            ? ["pending"]
            : [
                String(status),
                [stored, updated, unchanged].join("+"),
                String(Number(stored) + Number(updated) + Number(unchanged)),
              ];
        return [ofReceipt(receipt_id, "get", toResult(answer, shown, { not_found: () => ["absent"] }))];
      }
      const query = { start_date: DATE, end_date: DATE };
      const answer = await service.call(getGroupedTimeseries, { path: { user_id, resource: "heartrate" }, query });
      const line = ({ start, value }: ShownSample) => `${start.slice(11, 16)}=${value}`;
      const lines = ({ groups }: { groups: Record<string, { data: ShownSample[] }[]> }) =>
        Object.values(groups)
          .flat()
          .flatMap(({ data }) => data.map(line))
          .sort();
      return [ofSamples("read", [], toResult(answer, lines, {}))];
    },
  };
};
