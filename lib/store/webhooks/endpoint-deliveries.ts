import * as z from "zod";
import { deliveries } from "../../contract/resources.ts";
import type { DeliveryReference } from "../../events/webhooks/delivery.ts";
import type { EndpointReference } from "../../events/webhooks/endpoint-health.ts";
import { positionText } from "../cursor.ts";
import type { Table } from "../table.ts";

/** Returns the index partition of an endpoint's deliveries, sorted by planning time. */
export const endpointDeliveriesPartition = ({ team_id, endpoint_id }: EndpointReference): string =>
  `${deliveries.keyPrefix}of#${team_id}#${endpoint_id}`;

/** Position among the deliveries of an endpoint: planning time, user and event. */
export const deliveryPosition = z.tuple([z.iso.datetime(), z.guid().or(z.literal("")), positionText]);
export type DeliveryPosition = z.output<typeof deliveryPosition>;

/** Range of an endpoint's deliveries; instants are ISO 8601 in UTC with milliseconds. */
export interface DeliveryRange {
  readonly since?: string;
  readonly until?: string;
  readonly isNewestFirst?: boolean;
  /** Position of the last delivery of the previous page. */
  readonly after?: DeliveryPosition | undefined;
  readonly limit: number;
}

/** Item of the index. Its projection has keys only, so a delivery costs one index write, however often it changes. */
const indexed = z.object({ pk: z.string(), sk: z.string(), planned_at: z.string() });

/** Before and after every instant. */
const [ALWAYS, NEVER] = ["0", "9"];

/**
 * Returns references of up to `most` deliveries of an endpoint, and the position of the next page if there are more.
 */
export async function findEndpointDeliveries(
  table: Table,
  endpoint: EndpointReference,
  { since = ALWAYS, until = NEVER, isNewestFirst = false, after, limit }: DeliveryRange,
): Promise<{ found: DeliveryReference[]; next: DeliveryPosition | undefined }> {
  const of_endpoint = endpointDeliveriesPartition(endpoint);
  const { items, lastKey } = await table.query(
    {
      IndexName: "by_endpoint",
      KeyConditionExpression: "of_endpoint = :endpoint AND planned_at BETWEEN :since AND :until",
      ExpressionAttributeValues: { ":endpoint": of_endpoint, ":since": since, ":until": until },
      ScanIndexForward: !isNewestFirst,
      Limit: limit,
      ...(after === undefined ? {} : { ExclusiveStartKey: startKey(endpoint, after) }),
    },
    indexed,
  );
  const places = items.map(positionOf);
  const found = places.map(([, user_id, event_id]) => ({ ...endpointOf(endpoint), user_id, event_id }));
  return { found, next: lastKey && places.at(-1) };
}

const endpointOf = ({ team_id, endpoint_id }: EndpointReference) => ({ team_id, endpoint_id });

const positionOf = ({ pk, sk, planned_at }: z.output<typeof indexed>): DeliveryPosition => [
  planned_at,
  pk.slice(pk.lastIndexOf("#") + 1),
  sk.slice(sk.lastIndexOf("#") + 1),
];

const startKey = (endpoint: EndpointReference, [planned_at, user_id, event_id]: DeliveryPosition) => ({
  pk: `${deliveries.keyPrefix}${endpoint.team_id}#${user_id}`,
  sk: `${endpoint.endpoint_id}#${event_id}`,
  of_endpoint: endpointDeliveriesPartition(endpoint),
  planned_at,
});
