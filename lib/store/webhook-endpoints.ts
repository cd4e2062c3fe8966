import { webhookEndpoints } from "../contract/resources.ts";
import { type DisabledReason, type WebhookEndpoint, webhookEndpoint } from "../events/webhook-endpoint.ts";
import { ConditionFailed } from "./condition-failed.ts";
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

  /** Disables an endpoint on the service's own account, unless it is disabled or deleted already. @param now ISO 8601. */
  async disable(scope: TeamScope, endpointId: string, reason: DisabledReason, now: string): Promise<void> {
    try {
      await this.#table.update(endpointKey(scope, endpointId), {
        UpdateExpression: "SET disabled = :true, disabled_reason = :reason, updated_at = :now",
        ConditionExpression: "disabled = :false",
        ExpressionAttributeValues: { ":true": true, ":false": false, ":reason": reason, ":now": now },
      });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }

  /** @throws ConditionFailed when the id exists. */
  create(scope: TeamScope, endpoint: WebhookEndpoint): Promise<void> {
    const item = { ...endpointKey(scope, endpoint.endpoint_id), ...endpoint };
    return this.#table.put(item, { ConditionExpression: isNew });
  }
}
