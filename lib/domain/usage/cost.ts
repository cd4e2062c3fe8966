import { prices } from "./prices.ts";

/** What one counted unit takes of the services it passes; estimates, docs/usage.md says where each is from. */
interface Takes {
  readonly httpApiRequests?: number;
  readonly lambdaRequests: number;
  readonly lambdaGbSeconds: number;
  readonly dynamodbWrites: number;
  readonly dynamodbReads: number;
  readonly sqsRequests?: number;
  readonly busEvents?: number;
}

/** What a request takes whatever it asks for (a lease, its entry in the access log), and the reads of a usual answer. */
const request: Takes = {
  httpApiRequests: 1,
  lambdaRequests: 1,
  lambdaGbSeconds: 0.5 * 0.02,
  dynamodbWrites: 2,
  dynamodbReads: 3,
};

/** Of a batch of a hundred samples in ten chunks, a hundredth. */
const sample: Takes = {
  lambdaRequests: 0.001,
  lambdaGbSeconds: 0.001,
  dynamodbWrites: 0.2,
  dynamodbReads: 0.1,
  sqsRequests: 0.03,
};

/** From the outbox to the plan of its deliveries. */
const event: Takes = {
  lambdaRequests: 1,
  lambdaGbSeconds: 0.01,
  dynamodbWrites: 12,
  dynamodbReads: 3,
  sqsRequests: 3,
  busEvents: 1,
};

/** One attempt, with an endpoint that takes a tenth of a second to answer. */
const delivery: Takes = {
  lambdaRequests: 1,
  lambdaGbSeconds: 0.5 * 0.15,
  dynamodbWrites: 7,
  dynamodbReads: 6,
  sqsRequests: 3,
};

const GB = 2 ** 30;
/** Days of a month as AWS counts storage: 730 hours. */
const DAYS_PER_MONTH = 730 / 24;
/** Dollars are told to a millionth. */
const ROUNDING = 1e6;

function priceOf(takes: Takes): number {
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

/** What there is to pay for on one day. */
export interface Used {
  readonly requests: number;
  readonly samples: number;
  readonly events: number;
  readonly deliveries: number;
  /** Stored for the whole day. */
  readonly stored_bytes: number;
}

/** US dollars by the price table, rounded to the nearest millionth (halves up). */
export function dollarsOf({ requests, samples, events, deliveries, stored_bytes }: Used): number {
  const work =
    requests * priceOf(request) + samples * priceOf(sample) + events * priceOf(event) + deliveries * priceOf(delivery);
  const storage = ((stored_bytes / GB) * prices.storedGbMonth) / DAYS_PER_MONTH;
  return Math.round((work + storage) * ROUNDING) / ROUNDING;
}
