import { prices } from "./prices.ts";

/** AWS resources that one counted unit consumes: estimates, explained in docs/usage.md. */
interface UnitConsumption {
  readonly httpApiRequests?: number;
  readonly lambdaRequests: number;
  readonly lambdaGbSeconds: number;
  readonly dynamodbWrites: number;
  readonly dynamodbReads: number;
  readonly sqsRequests?: number;
  readonly busEvents?: number;
}

/** Fixed part of every request (a lease, its access log entry), and the reads of a usual response. */
const request: UnitConsumption = {
  httpApiRequests: 1,
  lambdaRequests: 1,
  lambdaGbSeconds: 0.5 * 0.02,
  dynamodbWrites: 2,
  dynamodbReads: 3,
};

/** One hundredth of a batch of 100 samples in ten chunks. */
const sample: UnitConsumption = {
  lambdaRequests: 0.001,
  lambdaGbSeconds: 0.001,
  dynamodbWrites: 0.2,
  dynamodbReads: 0.1,
  sqsRequests: 0.03,
};

/** An event of a batch: stored, in the feed, and in the queues of webhooks, destinations and continuous queries. */
const event: UnitConsumption = {
  lambdaRequests: 2,
  lambdaGbSeconds: 0.01,
  dynamodbWrites: 4,
  dynamodbReads: 3,
  sqsRequests: 9,
  busEvents: 1,
};

/** One attempt at an endpoint that responds in 0.1 s, in the invocation that its event takes anyway. */
const delivery: UnitConsumption = {
  lambdaRequests: 0,
  lambdaGbSeconds: 0.5 * 0.15,
  dynamodbWrites: 5,
  dynamodbReads: 8,
};

const GB = 2 ** 30;
/** Days of a month in AWS storage billing: 730 hours. */
const DAYS_PER_MONTH = 730 / 24;
/** Dollars are rounded to a millionth. */
const ROUNDING = 1e6;

function unitPrice(takes: UnitConsumption): number {
  return (
    (takes.httpApiRequests ?? 0) * prices.httpApiRequest +
    takes.lambdaRequests * prices.lambdaRequest +
    takes.lambdaGbSeconds * prices.lambdaGbSecond +
    takes.dynamodbWrites * prices.dynamodbWrite +
    takes.dynamodbReads * prices.dynamodbRead +
    (takes.sqsRequests ?? 0) * prices.sqsRequest +
    (takes.busEvents ?? 0) * prices.busEvent
  );
}

/** The billable usage of one day. */
export interface DailyUsage {
  readonly requests: number;
  readonly samples: number;
  readonly events: number;
  readonly deliveries: number;
  /** Bytes stored for the whole day. */
  readonly stored_bytes: number;
}

/** Estimates the cost of one day's usage in US dollars by the price table, rounded to a millionth (halves up). */
export function estimateDollars({ requests, samples, events, deliveries, stored_bytes }: DailyUsage): number {
  const work =
    requests * unitPrice(request) +
    samples * unitPrice(sample) +
    events * unitPrice(event) +
    deliveries * unitPrice(delivery);
  const storage = ((stored_bytes / GB) * prices.storedGbMonth) / DAYS_PER_MONTH;
  return Math.round((work + storage) * ROUNDING) / ROUNDING;
}
