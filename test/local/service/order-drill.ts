import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { requisitionNumber } from "../../../lib/domain/orders/lab-partner.ts";
import { SUBMISSIONS } from "../../../lib/labs/simulator/simulated-partner.ts";
import type { TestService } from "../../support/service.ts";
import { draftFor } from "./order-world.ts";
import { functionNamed } from "./stored-items.ts";

/** How often what is asked for. */
export interface OrderDrill {
  readonly keys: number;
  /** Requests with the same key at one time. */
  readonly copies: number;
  readonly seed: number;
}

/** What came of it. */
export interface OrderDrillReport {
  /** Orders that the user has afterwards. */
  readonly orders: number;
  /** Keys all of whose requests were answered with one order, by the same bytes. */
  readonly settledKeys: number;
  /** Requests, with those that were asked again after a 503. */
  readonly requests: number;
  readonly unavailable: number;
  /** Requests whose function ran out of time, which are asked again too. */
  readonly timedOut: number;
  /** Orders that a laboratory has, which knows them by their requisitions. */
  readonly submissions: number;
  /** Times that laboratories were told, of which some are repeated because nobody knew that they had succeeded. */
  readonly tellings: number;
  /** Submissions of what is no order of the user. */
  readonly strays: number;
  /** Attempts of calls out of functions that a fault struck. */
  readonly struck: number;
}

/** Keys that are in use at one time: more make functions time out, which is another drill. */
const KEYS_AT_ONCE = 2;
/** Longer than the sweeper leaves work alone. */
const SWEPT_MS = 15 * 60_000;
/** More failures in a row than faults of these probabilities make. */
const MOST_TRIES = 100;

type Asked = { -readonly [Name in "requests" | "unavailable" | "timedOut"]: OrderDrillReport[Name] };

/** Has orders placed many times at once while calls fail, before and after they have had their effect. */
export async function runOrderDrill(
  service: TestService,
  { keys, copies, seed }: OrderDrill,
  onKeys: (done: number) => void = () => {},
): Promise<OrderDrillReport> {
  const told: string[] = [];
  const onSubmission = (message: unknown) => void told.push((message as { requisition: string }).requisition);
  const userId = await service.createUser(`who orders ${keys} times`);
  // What was ordered before is no submission of this drill.
  await service.settle();
  addFaults(service, seed);
  subscribe(SUBMISSIONS, onSubmission);
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
      submissions: new Set(told.filter((number) => numbers.has(number))).size,
      tellings: told.length,
      strays: told.filter((number) => !numbers.has(number)).length,
      struck,
    };
  } finally {
    unsubscribe(SUBMISSIONS, onSubmission);
    service.cloud.faults.clear();
  }
}

/** Faults that clients of functions get over by themselves, and some that they do not. */
function addFaults(service: TestService, seed: number): void {
  for (const name of ["createOrder", "doLabWork"]) {
    const of = { function: functionNamed(service, name), seed };
    for (const mode of ["fail_before", "fail_after"] as const) {
      service.cloud.faults.add({ ...of, service: "dynamodb", mode, probability: 0.03 });
      service.cloud.faults.add({ ...of, service: "dynamodb", mode, probability: 0.01, every_attempt: true });
    }
    service.cloud.faults.add({ ...of, service: "s3", mode: "fail_before", probability: 0.05 });
    service.cloud.faults.add({ ...of, service: "sqs", mode: "fail_before", probability: 0.2, every_attempt: true });
  }
}

/** The same order placed so many times at once, each again until it is answered. @returns the answers that differ. */
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
      const { status, body } = await service.call("POST", "/v3/order", { headers, body: draftFor(userId) });
      if (status === 200) return JSON.stringify(body);
      // The service itself says no `message`: this is the gateway, which got no answer.
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
