import { contracts } from "../../../functions/index.ts";
import { type AccessCounts, actions } from "./access-counts.ts";
import { peakSum } from "./stated-load.ts";

/** Load of one function in the busiest hour. */
export interface FunctionLoad {
  readonly operationId: string;
  /** Invocations a second. */
  readonly rate: number;
  /** Assumed duration of an invocation, seconds. */
  readonly seconds: number;
  /** Concurrent invocations. */
  readonly concurrency: number;
  /** Maximum that the project sets for a consumer of a queue; undefined for a route. */
  readonly maxConcurrency: number | undefined;
  readonly memoryMb: number;
}

/** Load of one queue in the busiest hour. */
export interface QueueLoad {
  readonly queue: string;
  /** Messages a second. */
  readonly rate: number;
  /** Messages a second that its consumer takes at its maximum concurrency. */
  readonly capacity: number;
  /** Messages that a function has received and not deleted yet. */
  readonly inFlight: number;
}

/**
 * Assumed durations, seconds: of an invocation, of each of its requests to a service, one after another, and of the
 * requests to the outside. Only the numbers of requests are counted.
 */
const DURATION = { invocation: 0.005, request: 0.004, receiver: 0.1, provider: 0.6 } as const;
const outside: Readonly<Record<string, number>> = {
  deliverEvent: DURATION.receiver,
  pullConnection: DURATION.provider,
};

const contractOf = (operationId: string) => {
  const contract = contracts.find((one) => one.operationId === operationId);
  if (!contract) throw new Error(`the counts name a function ${operationId}, which does not exist`);
  return contract;
};

/** Returns the load of every function that actions invoke. @param users all users of the deployment. */
export function listFunctionLoads(counts: AccessCounts, users: number): FunctionLoad[] {
  const names = new Set(actions.flatMap((action) => Object.keys(counts[action].functions)));
  const loads = [...names].map((operationId) => {
    const sum = (unit: "invocations" | "requests") =>
      peakSum(users, (action) => counts[action].functions[operationId]?.[unit] ?? 0);
    const [rate, requests] = [sum("invocations"), sum("requests")];
    const seconds = DURATION.invocation + (requests / rate) * DURATION.request + (outside[operationId] ?? 0);
    const { memoryMb, maxConcurrency } = settingsOf(operationId);
    return { operationId, rate, seconds, concurrency: rate * seconds, maxConcurrency, memoryMb };
  });
  return loads.toSorted((one, other) => other.concurrency - one.concurrency);
}

function settingsOf(operationId: string) {
  const contract = contractOf(operationId);
  const queue = contract.kind === "consumer" && contract.trigger.kind === "queue" ? contract.trigger : undefined;
  return { memoryMb: contract.memoryMb, maxConcurrency: queue?.maxConcurrency };
}

/** Returns the load of every queue that actions fill. @param users all users of the deployment. */
export function listQueueLoads(counts: AccessCounts, users: number): QueueLoad[] {
  const functions = new Map(listFunctionLoads(counts, users).map((load) => [load.operationId, load]));
  return contracts.flatMap((contract) => {
    if (contract.kind !== "consumer" || contract.trigger.kind !== "queue") return [];
    const queue = contract.trigger.queue.name;
    const load = functions.get(contract.operationId);
    const rate = peakSum(users, (action) => counts[action].messages[queue] ?? 0);
    if (!load || rate === 0) return [];
    const capacity = (contract.trigger.maxConcurrency / load.seconds) * (rate / load.rate);
    return [{ queue, rate, capacity, inFlight: rate * load.seconds }];
  });
}
