import { endpointPlaces } from "../../contract/resources.ts";
import type { WebhookEndpoint } from "../../events/webhooks/webhook-endpoint.ts";
import type { Table } from "../table.ts";
import type { WriteItem } from "../transaction.ts";

/** Maximum number of webhook endpoints of a team, */
export const MAX_ENDPOINTS_PER_TEAM = 100;
/** and of its endpoints at one host and port. */
export const MAX_ENDPOINTS_PER_HOST = 20;

type QuotaEndpoint = Pick<WebhookEndpoint, "team_id" | "endpoint_id" | "url">;

/** A trailing dot does not change a host name (RFC 1034, 3.1). */
const hostAttribute = ({ url }: Pick<QuotaEndpoint, "url">) => {
  const { hostname, port } = new URL(url);
  return `at ${hostname.replace(/\.$/, "")}${port && `:${port}`}`;
};

/**
 * Limits the endpoints of a team: one item has the set of their ids, in total and for each host. Each change belongs to
 * the transaction that creates, moves or deletes the endpoint, so concurrent changes cannot exceed a limit.
 */
export class EndpointQuotaStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Reserves a place for a new endpoint. The transaction fails if a limit is reached. */
  reserveItem(endpoint: QuotaEndpoint): WriteItem {
    return this.#change(endpoint, {
      UpdateExpression: "ADD #all :id, #host :id",
      ConditionExpression:
        "(attribute_not_exists(#all) OR size(#all) < :most) AND (attribute_not_exists(#host) OR size(#host) < :mostAtHost)",
      ExpressionAttributeNames: { "#all": "all", "#host": hostAttribute(endpoint) },
      ExpressionAttributeValues: { ":most": MAX_ENDPOINTS_PER_TEAM, ":mostAtHost": MAX_ENDPOINTS_PER_HOST },
    });
  }

  /**
   * Moves an endpoint to the host of another URL; no writes if the host is the same. The transaction fails if the limit
   * is reached.
   */
  moveItems(before: QuotaEndpoint, url: string): WriteItem[] {
    if (hostAttribute(before) === hostAttribute({ url })) return [];
    const move = this.#change(before, {
      UpdateExpression: "ADD #host :id DELETE #before :id",
      ConditionExpression: "attribute_not_exists(#host) OR size(#host) < :mostAtHost",
      ExpressionAttributeNames: { "#host": hostAttribute({ url }), "#before": hostAttribute(before) },
      ExpressionAttributeValues: { ":mostAtHost": MAX_ENDPOINTS_PER_HOST },
    });
    return [move];
  }

  /** Releases the place of a deleted endpoint. */
  releaseItem(endpoint: QuotaEndpoint): WriteItem {
    return this.#change(endpoint, {
      UpdateExpression: "DELETE #all :id, #host :id",
      ExpressionAttributeNames: { "#all": "all", "#host": hostAttribute(endpoint) },
    });
  }

  #change(
    { team_id, endpoint_id }: QuotaEndpoint,
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
