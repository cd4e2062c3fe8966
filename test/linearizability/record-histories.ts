import { SeededRandom } from "../unit/support/seeded-random.ts";
import { END_OF_HISTORY, type History, type ObjectKind, type Operation } from "./operation.ts";
import { type ChooseRequest, requestFaults } from "./request-turns.ts";
import type { ServiceFixture } from "./service-fixture.ts";
import type { Performed, WorkloadFactory } from "./workload.ts";
import { createConnectionsWorkload } from "./workloads/connections-workload.ts";
import { createEndpointsWorkload } from "./workloads/endpoints-workload.ts";
import { createFeedWorkload } from "./workloads/feed-workload.ts";
import { createIngestionWorkload } from "./workloads/ingestion-workload.ts";
import { createOrdersWorkload } from "./workloads/orders-workload.ts";
import { createUsersWorkload } from "./workloads/users-workload.ts";

/** The workloads by name. That of ingestion makes histories of receipts and of samples. */
export const workloads = {
  users: createUsersWorkload,
  connections: createConnectionsWorkload,
  orders: createOrdersWorkload,
  ingestion: createIngestionWorkload,
  feed: createFeedWorkload,
  endpoints: createEndpointsWorkload,
} satisfies Record<string, WorkloadFactory>;
export type WorkloadName = keyof typeof workloads;

/** Percentage of requests with a fault, in two histories of three. */
const FAULT_PERCENT = 7;

/** Records the histories of one seed: a few clients call concurrently, and their requests interleave in random order. */
export async function recordHistories(service: ServiceFixture, name: WorkloadName, seed: number): Promise<History[]> {
  await service.begin(seed);
  const random = new SeededRandom(seed);
  const workload = workloads[name](service, random);
  await workload.prepare();
  let instant = 0;
  const recorded: (Performed & Pick<Operation, "client" | "invokedAt" | "returnedAt">)[] = [];
  const perform = async (client: string, run: () => Promise<readonly Performed[]>) => {
    const invokedAt = instant++;
    const performed = await run();
    const now = instant++;
    for (const one of performed)
      recorded.push({ ...one, client, invokedAt, returnedAt: one.result === null ? END_OF_HISTORY : now });
  };
  if (workload.opening) await perform("client 0", workload.opening);
  const clients = Array.from({ length: 2 + random.integerBelow(3) }, (_, index) => `client ${index + 1}`);
  const run = (client: string) => async () => {
    for (let calls = 3 + random.integerBelow(4); calls > 0; calls--) await perform(client, workload.perform);
  };
  await service.turns.run(Object.fromEntries(clients.map((client) => [client, run(client)])), drawTurns(seed, random));
  // The last reads show what became of calls without an answer.
  for (let calls = 0; calls < 2; calls++) await perform("client 0", workload.perform);
  return toHistories(recorded, `${name}, seed ${seed}`);
}

/** Lets one client run far ahead of another, and draws faults. */
function drawTurns(seed: number, random: SeededRandom): ChooseRequest {
  const sameAgainPercent = random.integerBelow(80);
  let last = "";
  return (waiting) => {
    const same = waiting.findIndex(({ caller }) => caller === last);
    const goesOn = same >= 0 && random.isWithinPercent(sameAgainPercent);
    const place = goesOn ? same : random.integerBelow(waiting.length);
    last = waiting[place]?.caller ?? "";
    const isFaulty = seed % 3 !== 0 && !last.includes("late") && random.isWithinPercent(FAULT_PERCENT);
    return isFaulty ? { place, fault: random.pick(requestFaults) } : { place };
  };
}

function toHistories(recorded: readonly (Performed & Operation)[], about: string): History[] {
  const groups = Map.groupBy(recorded, ({ kind, object }) => `${kind} ${object}`);
  // A history without any answer says nothing.
  const answered = [...groups.values()].filter((all) => all.some(({ result }) => result !== null));
  return answered.map((all) => ({
    kind: all[0]?.kind as ObjectKind,
    object: `${all[0]?.object} of ${about}`,
    operations: all.map(({ kind: _, object: __, ...operation }) => operation),
  }));
}
