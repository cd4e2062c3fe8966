import { ingestionBounds } from "../timeseries/acceptance.ts";
import type { UserRecord } from "../user.ts";

const DAY_MS = 86_400_000;
/** What is measured on the last day comes as late as this. */
const LATE_DAYS = 7;

/** What is pulled of a user at most, epoch ms: the user's bounds and a day around them, for clocks and zones differ. */
export function pullBounds({ ingestion_start = null, ingestion_end = null }: Bounded) {
  const { fromMs, untilMs } = ingestionBounds(ingestion_start, ingestion_end);
  return { fromMs: fromMs - DAY_MS, untilMs: untilMs + DAY_MS };
}

/** Whether nothing more is to come of a user, late deliveries included (wire reference, 3). */
export function isPastBounds(user: Bounded, nowMs: number): boolean {
  return nowMs >= pullBounds(user).untilMs + (LATE_DAYS - 1) * DAY_MS;
}

type Bounded = Pick<UserRecord, "ingestion_start" | "ingestion_end">;
