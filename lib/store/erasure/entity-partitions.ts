import type { EntityResource } from "../../contract/resource-kinds.ts";
import {
  appointments,
  chunks,
  labReports,
  matchReviews,
  orders,
  orderWork,
  outbox,
  receipts,
  requests,
  userKeys,
} from "../../contract/resources.ts";
import { userPartitions } from "../../contract/user-partitions.ts";
import { timeseriesResources } from "../../domain/timeseries/resources.ts";

/** Partitions of one entity. */
export interface EntityPartitions {
  readonly entity: EntityResource;
  readonly partitions: readonly string[];
}

/** The owner of partitions. */
interface Owner {
  readonly team_id: string;
  readonly user_id: string;
}

/** Entities whose user partitions are named by more than team and user. */
const otherPartitions: Readonly<Record<string, (name: string, owner: Owner) => readonly string[]>> = {
  [chunks.store]: (name) => timeseriesResources.map((resource) => `${name}#${resource.name}`),
  [receipts.store]: (name, { team_id, user_id }) => [name, `${receipts.keyPrefix}pending#${team_id}#${user_id}`],
  ...Object.fromEntries(
    [orders, requests, matchReviews, labReports].map(({ store, keyPrefix }) => [
      store,
      (_: string, { team_id, user_id }: Owner) => [`${keyPrefix}${team_id}#of#${user_id}`],
    ]),
  ),
};

/** Returns every partition that belongs to one user. */
export const listUserPartitions = (owner: Owner): EntityPartitions[] =>
  [...userPartitions, outbox, orders, userKeys].map((entity) => {
    const name = `${entity.keyPrefix}${owner.team_id}#${owner.user_id}`;
    return { entity, partitions: otherPartitions[entity.store]?.(name, owner) ?? [name] };
  });

/** Returns the partitions named by a user's orders. */
export const listOrderPartitions = (
  { team_id }: Pick<Owner, "team_id">,
  orderIds: readonly string[],
): EntityPartitions[] =>
  [orders, orderWork, appointments].map((entity) => ({
    entity,
    partitions: orderIds.map((id) => `${entity.keyPrefix}${team_id}#${id}`),
  }));
