import { prices } from "../../domain/usage/prices.ts";
import { type AccessCounts, type Action, actions } from "./access-counts.ts";
import { listFunctionLoads } from "./function-load.ts";
import { actionsPerDay, PEAK_FACTOR } from "./stated-load.ts";
import { listTableLoads } from "./table-load.ts";

/** Dollars of a month by what they pay for, at list prices without free tiers. */
export type MonthlyCost = Readonly<
  Record<"writes" | "reads" | "storage" | "functions" | "requests" | "messages", number>
>;

/** 730 hours. */
const MONTH_DAYS = 730 / 24;
const MONTH_S = MONTH_DAYS * 86_400;
const GB = 2 ** 30;
/** A message is sent, received and deleted. */
const REQUESTS_PER_MESSAGE = 3;

/** Computes the cost of a month of the stated load. @param users all users of the deployment. */
export function computeMonthlyCost(counts: AccessCounts, users: number): MonthlyCost {
  const tables = listTableLoads(counts, users);
  const functions = listFunctionLoads(counts, users);
  // Rates are those of the busiest hour.
  const perMonth = (rates: readonly number[]) => (rates.reduce((sum, rate) => sum + rate, 0) * MONTH_S) / PEAK_FACTOR;
  const perAction = (count: (action: Action) => number) =>
    actions.reduce((sum, action) => sum + count(action) * actionsPerDay[action], 0) * users * MONTH_DAYS;
  const messages = perAction((action) => Object.values(counts[action].messages).reduce((sum, sent) => sum + sent, 0));
  return {
    writes: perMonth(tables.map(({ writeUnits }) => writeUnits)) * prices.dynamodbWrite,
    reads: perMonth(tables.map(({ readUnits }) => readUnits)) * prices.dynamodbRead,
    storage: (tables.reduce((sum, { bytes }) => sum + bytes, 0) / GB) * prices.storedGbMonth,
    functions:
      perMonth(functions.map(({ rate }) => rate)) * prices.lambdaRequest +
      perMonth(functions.map(({ concurrency, memoryMb }) => (concurrency * memoryMb) / 1_024)) * prices.lambdaGbSecond,
    requests: perAction((action) => (action === "poll" ? 0 : 1)) * prices.httpApiRequest,
    messages:
      messages * REQUESTS_PER_MESSAGE * prices.sqsRequest +
      perAction((action) => counts[action].messages.webhooks ?? 0) * prices.busEvent,
  };
}
