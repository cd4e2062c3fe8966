import { MAX_POLLS_PER_SWEEP } from "../../store/connections/connection-polls.ts";
import type { AccessCounts, Action } from "./access-counts.ts";
import { listFunctionLoads, listQueueLoads } from "./function-load.ts";
import { type PublishedQuota, quotas } from "./published-limits.ts";
import { DELETIONS_PER_USER_DAY, PEAK_FACTOR, peakRate, peakSum } from "./stated-load.ts";
import { listTableLoads } from "./table-load.ts";

/** A limit with the number of users at which the stated load reaches it. */
export interface ReachedLimit {
  readonly name: string;
  readonly limit: number;
  /** What one million users need. */
  readonly perMillion: number;
  readonly users: number;
  /** Address of the page that states it; undefined for a setting of this project. */
  readonly source: string | undefined;
}

const MILLION = 1_000_000;
const DAY_S = 86_400;
/** Queues that the rules of the bus fill: one target for each message. */
const BUS_QUEUES = ["webhooks", "queryChanges", "teamForwards"];
/** The schedule of `sweepPolls`, which makes one read. */
const SWEEP_S = 60;

/** Lists quotas of AWS and maximums of this project, the first reached first: the order in which to raise them. */
export function listReachedLimits(counts: AccessCounts): ReachedLimit[] {
  const all = [...listQuotas(counts), ...listOwnLimits(counts)];
  return all.filter(({ perMillion }) => perMillion > 0).toSorted((one, other) => one.users - other.users);
}

const reached = (name: string, limit: number, perMillion: number, source?: string): ReachedLimit => ({
  name,
  limit,
  perMillion,
  users: (limit / perMillion) * MILLION,
  source,
});

function listQuotas(counts: AccessCounts): ReachedLimit[] {
  const of = ({ name, limit, source }: PublishedQuota, perMillion: number) => reached(name, limit, perMillion, source);
  const perSecond = (count: (action: Action) => number) => peakSum(MILLION, count);
  const tables = listTableLoads(counts, MILLION);
  const busInvocations = (action: Action) =>
    BUS_QUEUES.reduce((sum, queue) => sum + (counts[action].messages[queue] ?? 0), 0);
  const functions = listFunctionLoads(counts, MILLION);
  return [
    of(
      quotas.concurrency,
      functions.reduce((sum, { concurrency }) => sum + concurrency, 0),
    ),
    of(
      quotas.apiRequests,
      perSecond((action) => (action === "poll" ? 0 : 1)),
    ),
    of(quotas.tableWrites, Math.max(...tables.map(({ writeUnits }) => writeUnits))),
    of(quotas.tableReads, Math.max(...tables.map(({ readUnits }) => readUnits))),
    of(
      quotas.busRequests,
      perSecond((action) => counts[action].busRequests),
    ),
    of(quotas.busInvocations, perSecond(busInvocations)),
    of(
      quotas.kmsRequests,
      perSecond((action) => counts[action].kmsRequests),
    ),
    of(quotas.inFlight, Math.max(...listQueueLoads(counts, MILLION).map(({ inFlight }) => inFlight))),
    of(quotas.executions, (DELETIONS_PER_USER_DAY * MILLION * PEAK_FACTOR) / DAY_S),
  ];
}

function listOwnLimits(counts: AccessCounts): ReachedLimit[] {
  const consumers = listFunctionLoads(counts, MILLION).flatMap(({ operationId, maxConcurrency, concurrency }) =>
    maxConcurrency === undefined
      ? []
      : [reached(`\`maxConcurrency\` of \`${operationId}\``, maxConcurrency, concurrency)],
  );
  const polls = reached(
    "polls that `sweepPolls` starts, a second",
    MAX_POLLS_PER_SWEEP / SWEEP_S,
    peakRate("poll", MILLION),
  );
  return [...consumers, polls];
}
