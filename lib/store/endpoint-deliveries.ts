import * as z from "zod";
import { deliveries } from "../contract/resources.ts";
import type { DeliveryReference } from "../events/delivery.ts";
import type { EndpointName } from "../events/endpoint-health.ts";
import { positionText } from "./cursor.ts";
import type { Table } from "./table.ts";

/** The partition of the index in which the deliveries of an endpoint are found, by the time when they were planned. */
export const deliveriesOf = ({ team_id, endpoint_id }: EndpointName): string =>
  `${deliveries.keyPrefix}of#${team_id}#${endpoint_id}`;

/** A place among the deliveries of an endpoint: when the one there was planned, its user and its event. */
export const deliveryPlace = z.tuple([z.iso.datetime(), z.guid().or(z.literal("")), positionText]);
export type DeliveryPlace = z.output<typeof deliveryPlace>;

/** What to read of the deliveries of an endpoint; instants are ISO 8601 in UTC with milliseconds. */
export interface Span {
  readonly since?: string;
  readonly until?: string;
  readonly isNewestFirst?: boolean;
  /** The place of the last one that was read before. */
  readonly after?: DeliveryPlace | undefined;
  readonly most: number;
}

/** As the index has it: keys alone, so that it costs one write a delivery, however often that changes. */
const indexed = z.object({ pk: z.string(), sk: z.string(), planned_at: z.string() });

/** Before and after all instants. */
const [ALWAYS, NEVER] = ["0", "9"];

/** Names of deliveries of an endpoint, `most` at most, and the place from which to go on where there are more. */
export async function findOfEndpoint(
  table: Table,
  endpoint: EndpointName,
  { since = ALWAYS, until = NEVER, isNewestFirst = false, after, most }: Span,
): Promise<{ found: DeliveryReference[]; next: DeliveryPlace | undefined }> {
  const of_endpoint = deliveriesOf(endpoint);
  const { items, lastKey } = await table.query(
    {
      IndexName: "by_endpoint",
      KeyConditionExpression: "of_endpoint = :endpoint AND planned_at BETWEEN :since AND :until",
      ExpressionAttributeValues: { ":endpoint": of_endpoint, ":since": since, ":until": until },
      ScanIndexForward: !isNewestFirst,
      Limit: most,
      ...(after === undefined ? {} : { ExclusiveStartKey: startKey(endpoint, after) }),
    },
    indexed,
  );
  const places = items.map(placeOf);
  const found = places.map(([, user_id, event_id]) => ({ ...nameOf(endpoint), user_id, event_id }));
  return { found, next: lastKey && places.at(-1) };
}

const nameOf = ({ team_id, endpoint_id }: EndpointName) => ({ team_id, endpoint_id });

const placeOf = ({ pk, sk, planned_at }: z.output<typeof indexed>): DeliveryPlace => [
  planned_at,
  pk.slice(pk.lastIndexOf("#") + 1),
  sk.slice(sk.lastIndexOf("#") + 1),
];

const startKey = (endpoint: EndpointName, [planned_at, user_id, event_id]: DeliveryPlace) => ({
  pk: `${deliveries.keyPrefix}${endpoint.team_id}#${user_id}`,
  sk: `${endpoint.endpoint_id}#${event_id}`,
  of_endpoint: deliveriesOf(endpoint),
  planned_at,
});
