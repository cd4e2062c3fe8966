import { orderListAttributes } from "./order-list-attributes.ts";
import type { IndexKeys } from "./resource-kinds.ts";

/** Keys of the secondary indexes of tables. resources.ts says which table has which index. */

/** Users of a team, by order of creation. */
export const byTeam: IndexKeys = {
  partitionKey: "team_users",
  sortKey: "team_users_sort",
  projectedAttributes: [],
};
/**
 * Active users of a team by `client_user_id`. Both attributes are older than the index, so DynamoDB fills it with all
 * users when a deployment adds it.
 */
export const byClientUserId: IndexKeys = {
  partitionKey: "team_users",
  sortKey: "client_user_id",
  projectedAttributes: [],
};
/** Events of the outbox that are not published yet. */
export const unsent: IndexKeys = {
  partitionKey: "unsent_shard",
  sortKey: "created_at",
  projectedAttributes: ["event_id", "team_id", "user_id", "type", "key", "version", "order_key"],
};
/** Items that a sweeper or a scheduled function must process, by due time. */
export const due: IndexKeys = { partitionKey: "due_shard", sortKey: "due_at" };
/** Deliveries to a webhook endpoint, by planning time. */
export const byEndpoint: IndexKeys = { partitionKey: "of_endpoint", sortKey: "planned_at", projectedAttributes: [] };
/** Orders of a team, by creation. */
export const teamOrders: IndexKeys = {
  partitionKey: "team_orders",
  sortKey: "created_at",
  projectedAttributes: orderListAttributes,
};
/**
 * Lab reports of a team by status. Jobs have had both attributes from the start, so DynamoDB fills the index with all
 * of them when a deployment adds it, and maintains it in the write that changes a status. Match tests have both too.
 */
export const reportsByStatus: IndexKeys = {
  partitionKey: "team_id",
  sortKey: "status",
  projectedAttributes: ["id", "user_id", "created_at"],
  isOfTeam: true,
};
