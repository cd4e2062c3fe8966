import { endpointPlaces } from "../contract/resources.ts";
import type { WebhookEndpoint } from "../events/webhook-endpoint.ts";
import type { Table } from "./table.ts";
import type { WriteItem } from "./transaction.ts";

/** Webhook endpoints that a team may have, */
export const TEAM_ENDPOINTS = 100;
/** and those of them that may lead to one host and port. */
export const HOST_ENDPOINTS = 20;

type Placed = Pick<WebhookEndpoint, "team_id" | "endpoint_id" | "url">;

/** A name with a dot at its end is the same name (RFC 1034, 3.1). */
const atHost = ({ url }: Pick<Placed, "url">) => {
  const { hostname, port } = new URL(url);
  return `at ${hostname.replace(/\.$/, "")}${port && `:${port}`}`;
};

/**
 * Where the endpoints of a team lead: one item, with the set of their ids in all and at each host. Each change is part of
 * the transaction that creates, moves or deletes the endpoint, so no two of them pass a bound together.
 */
export class EndpointPlaceStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Takes the place of a new endpoint. The transaction is refused when there is no room. */
  takeItem(endpoint: Placed): WriteItem {
    return this.#change(endpoint, {
      UpdateExpression: "ADD #all :id, #host :id",
      ConditionExpression:
        "(attribute_not_exists(#all) OR size(#all) < :most) AND (attribute_not_exists(#host) OR size(#host) < :mostAtHost)",
      ExpressionAttributeNames: { "#all": "all", "#host": atHost(endpoint) },
      ExpressionAttributeValues: { ":most": TEAM_ENDPOINTS, ":mostAtHost": HOST_ENDPOINTS },
    });
  }

  /** Moves an endpoint to the host of another URL; none when it is the same. The transaction is refused when there is no room. */
  moveItems(before: Placed, url: string): WriteItem[] {
    if (atHost(before) === atHost({ url })) return [];
    const move = this.#change(before, {
      UpdateExpression: "ADD #host :id DELETE #before :id",
      ConditionExpression: "attribute_not_exists(#host) OR size(#host) < :mostAtHost",
      ExpressionAttributeNames: { "#host": atHost({ url }), "#before": atHost(before) },
      ExpressionAttributeValues: { ":mostAtHost": HOST_ENDPOINTS },
    });
    return [move];
  }

  /** Gives back the place of an endpoint that is deleted. */
  freeItem(endpoint: Placed): WriteItem {
    return this.#change(endpoint, {
      UpdateExpression: "DELETE #all :id, #host :id",
      ExpressionAttributeNames: { "#all": "all", "#host": atHost(endpoint) },
    });
  }

  #change(
    { team_id, endpoint_id }: Placed,
    change: Omit<NonNullable<WriteItem["Update"]>, "TableName" | "Key">,
  ): WriteItem {
    return {
      Update: {
        ...change,
        TableName: this.#table.name,
        Key: { pk: `${endpointPlaces.keyPrefix}${team_id}`, sk: "endpoints" },
        ExpressionAttributeValues: { ...change.ExpressionAttributeValues, ":id": new Set([endpoint_id]) },
      },
    };
  }
}
