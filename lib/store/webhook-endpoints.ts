import { webhookEndpoints } from "../contract/resources.ts";
import { type WebhookEndpoint, webhookEndpoint } from "../events/webhook-endpoint.ts";
import { isNew, type Key, type Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";

const endpointKey = (scope: TeamScope, endpointId: string): Key => ({
  pk: `${webhookEndpoints.keyPrefix}${scope.teamId}`,
  sk: endpointId,
});

/** Webhook endpoints of a team. */
export class WebhookEndpointStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, endpointId: string): Promise<WebhookEndpoint | undefined> {
    return this.#table.get(endpointKey(scope, endpointId), webhookEndpoint);
  }

  async list(scope: TeamScope): Promise<WebhookEndpoint[]> {
    const input = {
      KeyConditionExpression: "pk = :team",
      ExpressionAttributeValues: { ":team": `${webhookEndpoints.keyPrefix}${scope.teamId}` },
    };
    return Array.fromAsync(this.#table.all(input, webhookEndpoint));
  }

  /** @throws ConditionFailed when the id exists. */
  create(scope: TeamScope, endpoint: WebhookEndpoint): Promise<void> {
    const item = { ...endpointKey(scope, endpoint.endpoint_id), ...endpoint };
    return this.#table.put(item, { ConditionExpression: isNew });
  }
}
