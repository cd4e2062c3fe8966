import type { AwsService } from "./aws-request.ts";
import { KeyMeter } from "./key-meter.ts";

/** DynamoDB capacity units. */
export interface ConsumedUnits {
  readonly read: number;
  readonly write: number;
}

/** Number of requests to a table and their capacity units. */
interface TableUsage {
  requests: number;
  read_units: number;
  write_units: number;
}

/** Number of requests to a resource without capacity units. */
interface RequestCount {
  requests: number;
}

type ByOperation<Count> = Record<string, Record<string, Count>>;

/** Counts by resource name and API operation. A request to two tables counts at both, but once in `total`. */
export interface UsageTally {
  total: TableUsage;
  tables: ByOperation<TableUsage>;
  queues: ByOperation<RequestCount>;
  buses: ByOperation<RequestCount>;
  state_machines: ByOperation<RequestCount>;
  keys: ByOperation<RequestCount>;
  secrets: ByOperation<RequestCount>;
  buckets: ByOperation<RequestCount>;
  roles: ByOperation<RequestCount>;
}

/** The counts as plain JSON. `since` is the last reset (ISO 8601). */
export interface MeterSnapshot extends UsageTally {
  since: string;
  functions: Record<string, UsageTally>;
}

/** A request that reached its engine. */
export interface MeteredCall {
  readonly caller: string;
  readonly service: AwsService;
  readonly operation: string;
  /** The resources of the request, with the capacity units of tables. */
  readonly resources: ReadonlyMap<string, ConsumedUnits | undefined>;
}

const groupsByService = {
  sqs: "queues",
  events: "buses",
  states: "state_machines",
  kms: "keys",
  secretsmanager: "secrets",
  s3: "buckets",
  sts: "roles",
} as const;

/** Counts the requests of functions to the services since the last reset, as AWS would bill them. */
export class Meter {
  readonly keys = new KeyMeter();
  readonly #now: () => number;
  #since: number;
  #all = emptyTally();
  #functions = new Map<string, UsageTally>();

  /** @param now epoch milliseconds of the local cloud's clock */
  constructor(now: () => number) {
    this.#now = now;
    this.#since = now();
  }

  record(call: MeteredCall): void {
    const own = this.#functions.get(call.caller) ?? emptyTally();
    this.#functions.set(call.caller, own);
    for (const tally of [this.#all, own]) add(tally, call);
  }

  /** Requests since the last reset. */
  get requests(): number {
    return this.#all.total.requests;
  }

  /** A copy of the current counts. */
  snapshot(): MeterSnapshot {
    const functions = Object.fromEntries(this.#functions);
    return structuredClone({ since: new Date(this.#since).toISOString(), ...this.#all, functions });
  }

  reset(): void {
    this.#since = this.#now();
    this.#all = emptyTally();
    this.#functions.clear();
  }
}

function emptyTally(): UsageTally {
  const total = { requests: 0, read_units: 0, write_units: 0 };
  return {
    total,
    tables: {},
    queues: {},
    buses: {},
    state_machines: {},
    keys: {},
    secrets: {},
    buckets: {},
    roles: {},
  };
}

function add(tally: UsageTally, { service, operation, resources }: MeteredCall): void {
  tally.total.requests += 1;
  for (const [name, units = { read: 0, write: 0 }] of resources) {
    if (service !== "dynamodb") {
      countOf(tally[groupsByService[service]], name, operation, { requests: 0 }).requests += 1;
      continue;
    }
    const table = countOf(tally.tables, name, operation, { requests: 0, read_units: 0, write_units: 0 });
    table.requests += 1;
    for (const usage of [table, tally.total]) {
      usage.read_units += units.read;
      usage.write_units += units.write;
    }
  }
}

function countOf<Count>(group: ByOperation<Count>, name: string, operation: string, none: Count): Count {
  group[name] ??= {};
  group[name][operation] ??= none;
  return group[name][operation];
}
