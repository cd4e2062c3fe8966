import type { EntityResource } from "../../../lib/contract/resource-kinds.ts";
import { chunks, deliveryLeases, eventFeed } from "../../../lib/contract/resources.ts";
import { type Call, type CallInput, type SendCall, writesOf } from "./call.ts";

/** A defect between the functions and their stores, which a simulation must notice. */
export interface PlantedFault {
  /** What goes wrong. */
  readonly name: string;
  /** Carries out a call in place of `send`. */
  readonly intervene: (call: Call, send: SendCall) => Promise<CallInput>;
}

/** Whether a call has a write to an item of a kind, by a condition that begins so. */
const isWrite = (input: CallInput, { keyPrefix }: EntityResource, begin: string): boolean =>
  writesOf(input).some(
    ({ key, write }) => key.startsWith(keyPrefix) && (write.ConditionExpression ?? "").startsWith(begin),
  );

/** A condition of one kind of item counts as met. The expression stays valid and uses the same values. */
const withoutCondition = (name: string, entity: EntityResource, begin: string): PlantedFault => ({
  name,
  intervene({ input }, send) {
    if (!isWrite(input, entity, begin)) return send(input);
    for (const { key, write } of writesOf(input)) {
      if (!key.startsWith(entity.keyPrefix) || write.ConditionExpression === undefined) continue;
      write.ConditionExpression = `(${write.ConditionExpression}) OR attribute_exists(pk) OR attribute_not_exists(pk)`;
    }
    return send(input);
  },
});

/** One in so many calls has no effect, and a function believes that it has. */
const withoutEffect = (
  name: string,
  oneIn: number,
  isMeant: (call: Call) => boolean,
  answer: (input: CallInput) => CallInput,
): PlantedFault => {
  let count = 0;
  return {
    name,
    intervene: async (call, send) => (isMeant(call) && ++count % oneIn === 0 ? answer(call.input) : send(call.input)),
  };
};

/** One in so many writes takes effect twice. */
const twice = (name: string, oneIn: number, isMeant: (input: CallInput) => boolean): PlantedFault => {
  let count = 0;
  return {
    name,
    async intervene({ input }, send) {
      if (isMeant(input) && ++count % oneIn === 0) await send(structuredClone(input));
      return send(input);
    },
  };
};

/** Every second read of a partition answers as the read before it did. */
const staleReads = (name: string, entity: EntityResource, operations: readonly string[]): PlantedFault => {
  const former = new Map<string, CallInput>();
  let reads = 0;
  return {
    name,
    async intervene({ operation, input }, send) {
      const about = JSON.stringify(input);
      if (!operations.includes(operation) || !about.includes(`"${entity.keyPrefix}`)) return send(input);
      const known = former.get(about);
      if (known && ++reads % 2 === 0) return known;
      const answer = await send(input);
      former.set(about, answer);
      return answer;
    },
  };
};

const statementsOf = ({ Statements = [] }: CallInput) => Statements as { readonly Statement: string }[];

/** Defects in outbox, relay, feed, leases and merges. */
export const plantedFaults: readonly PlantedFault[] = [
  withoutEffect(
    "events of a batch are not stored",
    3,
    ({ input }) => statementsOf(input).some(({ Statement }) => Statement.startsWith("INSERT")),
    (input) => ({ Responses: statementsOf(input).map(() => ({})) }),
  ),
  withoutEffect(
    "the bus loses events",
    3,
    ({ operation }) => operation === "PutEvents",
    ({ Entries }) => ({ FailedEntryCount: 0, Entries: (Entries as object[]).map(() => ({ EventId: "lost" })) }),
  ),
  twice("events are appended to the feed twice", 3, (input) => isWrite(input, eventFeed, "#end = #last")),
  withoutCondition("the tail of the feed is overwritten", eventFeed, "#last = :last"),
  withoutCondition("a lease is taken from its holder", deliveryLeases, "(attribute_not_exists(lease_until)"),
  withoutCondition("a retry takes a lease from its holder", deliveryLeases, "attribute_not_exists(lease_until)"),
  withoutCondition("a new chunk overwrites another", chunks, "attribute_not_exists(pk)"),
  staleReads("a read of samples is stale", chunks, ["Query", "GetItem", "BatchGetItem"]),
];
