import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { requisitionNumber } from "../../../../lib/domain/orders/lab-partner.ts";
import { SUBMISSION_CHANNEL } from "../../../../lib/labs/simulator/simulated-partner.ts";
import type { TestService } from "../../../support/service.ts";
import { findFunctionName } from "../support/stored-items.ts";
import { orderRequest } from "./order-helpers.ts";

/** Number of idempotency keys and concurrent requests. */
export interface OrderDrillOptions {
  readonly keys: number;
  /** Concurrent requests with the same key. */
  readonly copies: number;
  readonly seed: number;
}

/** Result of an order drill. */
export interface OrderDrillReport {
  /** Orders of the user after the drill. */
  readonly orders: number;
  /** Keys whose requests were all answered with the same bytes of one order. */
  readonly settledKeys: number;
  /** Requests, including those repeated after a 503. */
  readonly requests: number;
  readonly unavailable: number;
  /** Requests whose function timed out; they are repeated too. */
  readonly timedOut: number;
  /** Orders that a laboratory received, by requisition number. */
  readonly submissions: number;
  /** Submissions to laboratories; one may be repeated because its success was unknown. */
  readonly sentSubmissions: number;
  /** Submissions of an order that the user does not have. */
  readonly strays: number;
  /** Attempts of calls of functions that failed by an injected fault. */
  readonly struck: number;
}

/** Concurrent keys. More of them make functions time out, which is not the subject of this drill. */
const KEYS_AT_ONCE = 2;
/** Longer than the sweeper waits before it processes a task. */
const SWEPT_MS = 15 * 60_000;
/** More consecutive failures than faults with these probabilities cause. */
const MOST_TRIES = 100;

type Asked = { -readonly [Name in "requests" | "unavailable" | "timedOut"]: OrderDrillReport[Name] };

/** Places orders many times concurrently while calls fail, before and after their effect. */
export async function runOrderDrill(
  service: TestService,
  { keys, copies, seed }: OrderDrillOptions,
  onKeys: (done: number) => void = () => {},
): Promise<OrderDrillReport> {
  const requisitions: string[] = [];
  const onSubmission = (message: unknown) => void requisitions.push((message as { requisition: string }).requisition);
  const userId = await service.createUser(`who orders ${keys} times`);
  // Earlier orders are not submissions of this drill.
  await service.settle();
  addFaults(service, seed);
  subscribe(SUBMISSION_CHANNEL, onSubmission);
  try {
    const asked: Asked = { requests: 0, unavailable: 0, timedOut: 0 };
    const made: Set<string>[] = [];
    for (let first = 0; first < keys; first += KEYS_AT_ONCE) {
      const some = Array.from({ length: Math.min(KEYS_AT_ONCE, keys - first) }, (_, index) => first + index);
      made.push(...(await Promise.all(some.map((key) => orderAtOnce(service, userId, `key ${key}`, copies, asked)))));
      onKeys(made.length);
    }
    await service.settle();
    const struck = service.cloud.faults.list().reduce((total, rule) => total + rule.struck, 0);
    service.cloud.faults.clear();
    await service.advance(SWEPT_MS);
    const ids = await orderIds(service, userId);
    const numbers = new Set(ids.map(requisitionNumber));
    return {
      orders: ids.length,
      settledKeys: made.filter(({ size }) => size === 1).length,
      ...asked,
      submissions: new Set(requisitions.filter((number) => numbers.has(number))).size,
      sentSubmissions: requisitions.length,
      strays: requisitions.filter((number) => !numbers.has(number)).length,
      struck,
    };
  } finally {
    unsubscribe(SUBMISSION_CHANNEL, onSubmission);
    service.cloud.faults.clear();
  }
}

/** Injects faults that the clients of functions handle by retries, and some that they do not. */
function addFaults(service: TestService, seed: number): void {
  for (const name of ["createOrder", "doLabWork"]) {
    const of = { function: findFunctionName(service, name), seed };
    for (const mode of ["fail_before", "fail_after"] as const) {
      service.cloud.faults.add({ ...of, service: "dynamodb", mode, probability: 0.03 });
      service.cloud.faults.add({ ...of, service: "dynamodb", mode, probability: 0.01, every_attempt: true });
    }
    service.cloud.faults.add({ ...of, service: "s3", mode: "fail_before", probability: 0.05 });
    service.cloud.faults.add({ ...of, service: "sqs", mode: "fail_before", probability: 0.2, every_attempt: true });
  }
}

/** Places the same order concurrently, and repeats each request until it is answered. @returns the distinct answers. */
async function orderAtOnce(
  service: TestService,
  userId: string,
  key: string,
  copies: number,
  asked: Asked,
): Promise<Set<string>> {
  const one = async (): Promise<string> => {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      asked.requests++;
      const headers = { "x-idempotency-key": key };
      const { status, body } = await service.call("POST", "/v3/order", { headers, body: orderRequest(userId) });
      if (status === 200) return JSON.stringify(body);
      // The service's errors have no `message`: this is the gateway, whose integration timed out.
      const isTimeout = status === 500 && body.message !== undefined;
      if (status !== 503 && !isTimeout) throw new Error(`${status}: ${JSON.stringify(body)}`);
      if (isTimeout) asked.timedOut++;
      else asked.unavailable++;
    }
    throw new Error("no answer but 503");
  };
  return new Set(await Promise.all(Array.from({ length: copies }, one)));
}

async function orderIds(service: TestService, userId: string): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page++) {
    const { body } = await service.call("GET", `/v3/orders?user_id=${userId}&size=100&page=${page}`);
    ids.push(...body.orders.map(({ id }: { id: string }) => id));
    if (ids.length >= body.total) return ids;
  }
}
