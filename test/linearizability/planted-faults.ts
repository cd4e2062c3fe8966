import {
  GetCommand,
  PutCommand,
  type PutCommandInput,
  TransactWriteCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from "@aws-sdk/lib-dynamodb";
import type { EntityResource } from "../../lib/contract/resource-kinds.ts";
import { chunks, receipts, requests, users, webhookEndpoints } from "../../lib/contract/resources.ts";
import type { WriteItem } from "../../lib/store/transaction.ts";
import { weaken } from "../unit/erasure/races/weakened-conditions.ts";
import type { DocumentCommand, SendDocument } from "./document-gate.ts";
import type { WorkloadName } from "./record-histories.ts";

/** A defect of a store, between it and the engine. */
export interface PlantedFault {
  readonly name: string;
  readonly workload: WorkloadName;
  /** Creates the defect anew for a history. */
  readonly plant: () => (command: DocumentCommand, send: SendDocument) => Promise<unknown>;
}

type Prefixed = Pick<EntityResource, "keyPrefix">;

/** Whether a write is one of an item of this kind. */
const isOf = ({ Put, Update, Delete }: WriteItem, { keyPrefix }: Prefixed, part = ""): boolean =>
  String(Put?.Item?.pk ?? Update?.Key?.pk ?? Delete?.Key?.pk).startsWith(`${keyPrefix}${part}`);

/** Takes the condition off some writes, in transactions and alone. */
const withoutCondition =
  (isMeant: (item: WriteItem) => boolean): PlantedFault["plant"] =>
  () =>
  (command, send) => {
    const change = (item: WriteItem) => (isMeant(item) ? weaken(item) : item);
    const replaced = withChanges(command, change);
    return send((replaced as unknown as DocumentCommand | undefined) ?? command);
  };

/** The same write with changed items; undefined for a read. */
function withChanges(command: DocumentCommand, change: (item: WriteItem) => WriteItem) {
  if (command instanceof TransactWriteCommand)
    return new TransactWriteCommand({ TransactItems: (command.input.TransactItems ?? []).map(change) });
  if (command instanceof UpdateCommand)
    return new UpdateCommand(change({ Update: command.input } as WriteItem).Update as UpdateCommandInput);
  if (command instanceof PutCommand) return new PutCommand(change({ Put: command.input }).Put as PutCommandInput);
  return undefined;
}

/** Answers every second read of an item with its former state. */
const withStaleReads =
  ({ keyPrefix }: Prefixed): PlantedFault["plant"] =>
  () => {
    const former = new Map<string, unknown>();
    let reads = 0;
    return async (command, send) => {
      const key = JSON.stringify(command.input.Key);
      if (!(command instanceof GetCommand) || !String(command.input.Key?.pk).startsWith(keyPrefix))
        return send(command);
      const known = former.get(key);
      if (known !== undefined && ++reads % 2 === 0) return known;
      const answer = await send(command);
      former.set(key, answer);
      return answer;
    };
  };

/** Defects that the histories must show. */
export const plantedFaults: readonly PlantedFault[] = [
  { name: "a read of a user is stale", workload: "users", plant: withStaleReads(users) },
  { name: "a read of connections is stale", workload: "connections", plant: withStaleReads(users) },
  {
    name: "an idempotency key is forgotten",
    workload: "orders",
    plant: withoutCondition((item) => isOf(item, requests)),
  },
  {
    name: "a merge of samples overwrites another",
    workload: "ingestion",
    plant: withoutCondition((item) => isOf(item, chunks)),
  },
  { name: "a read of a receipt is stale", workload: "ingestion", plant: withStaleReads(receipts) },
  { name: "a read of an endpoint is stale", workload: "endpoints", plant: withStaleReads(webhookEndpoints) },
];
