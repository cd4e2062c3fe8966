import { ingestionBounds } from "../../ingest/ingestion-bounds.ts";
import { DAY_MS } from "../../shared/durations.ts";
import type { UserRecord } from "../../users/user.ts";

/** Maximum delay between a measurement and its delivery, days. */
const LATE_DELIVERY_DAYS = 7;

/** Bounds of a user's pulls, epoch ms: the ingestion bounds, extended by a day because clocks and time zones differ. */
export function pullBounds({ ingestion_start = null, ingestion_end = null }: Bounded) {
  const { fromMs, untilMs } = ingestionBounds(ingestion_start, ingestion_end);
  return { fromMs: fromMs - DAY_MS, untilMs: untilMs + DAY_MS };
}

/** Whether a user's ingestion bounds are over, late deliveries included. */
export function isPastBounds(user: Bounded, nowMs: number): boolean {
  return nowMs >= pullBounds(user).untilMs + (LATE_DELIVERY_DAYS - 1) * DAY_MS;
}

type Bounded = Pick<UserRecord, "ingestion_start" | "ingestion_end">;
