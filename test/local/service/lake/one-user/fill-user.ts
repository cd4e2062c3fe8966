import { generateDemoBatches } from "../../../../../lib/simulators/demo/demo-batches.ts";
import type { TestService } from "../../../../support/service.ts";
import { ingestBatch, sendBatch } from "../../ingest/ingest-batch.ts";
import { placeOrder } from "../../orders/order-helpers.ts";
import {
  createLabKey,
  createLabSender,
  createOpenOrder,
  createOruMessage,
  requisitionOf,
} from "../../results/result-helpers.ts";

/** Days of the sheet. */
export const FIRST_DAY = "2026-05-01";
export const LAST_DAY = "2026-05-07";
const END_MS = Date.parse("2026-05-08T00:00:00Z");
/** Seed of the synthetic person. The sheet follows from it. */
const SEED = 26;
const GLUCOSE_INTERVAL_MS = 15 * 60_000;

/**
 * Creates a user with a week of demo data of a watch and a phone, a glucose sensor, an order with a result, and an open
 * order. Its numbers depend on no clock. @returns the id of the user.
 */
export async function fillUser(service: TestService): Promise<string> {
  const userId = await service.createUser("seen in three ways");
  const without = ["sleep_stream", "workout_stream"] as const;
  for (const batch of generateDemoBatches({ days: 7, endMs: END_MS, seed: SEED, without })) {
    const { provider, source_type, device_id, resources } = batch;
    const device = device_id ? { device: { id: device_id } } : {};
    const sent = await sendBatch(service, userId, resources, { provider, source_type, ...device });
    if (sent.status !== 202) throw new Error(JSON.stringify(sent.body));
  }
  await ingestBatch(service, userId, { glucose: glucoseOfWeek() }, { provider: "freestyle_libre", source_type: "cgm" });
  await orderTests(service, userId);
  return userId;
}

/** A curve with two waves a day, mmol/L. */
function glucoseOfWeek() {
  const first = Date.parse(`${FIRST_DAY}T00:00:00Z`);
  return Array.from({ length: (END_MS - first) / GLUCOSE_INTERVAL_MS }, (_, index) => ({
    timestamp: new Date(first + index * GLUCOSE_INTERVAL_MS).toISOString(),
    value: Math.round((5.6 + 1.3 * Math.sin(index / 7.3) + 0.4 * Math.sin(index / 61)) * 10) / 10,
  }));
}

async function orderTests(service: TestService, userId: string): Promise<void> {
  const order = await createOpenOrder(service, userId);
  const send = createLabSender(service, await createLabKey(service));
  const { code } = await send(
    createOruMessage({ control: "one-user", requisition: requisitionOf(order), value: "93" }),
  );
  if (code !== "AA") throw new Error(`result not taken: ${code}`);
  await placeOrder(service, userId);
  await service.settle();
}
