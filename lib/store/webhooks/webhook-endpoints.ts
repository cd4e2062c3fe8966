import { webhookEndpoints } from "../../contract/resources.ts";
import { type DisabledReason, type WebhookEndpoint, webhookEndpoint } from "../../events/webhooks/webhook-endpoint.ts";
import { ConditionFailed, unlessConditionFailed } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import type { ReadItem } from "../read-item.ts";
import { type Expression, NOT_EXISTS, setExpression, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

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

  /** Returns a read of an endpoint for a batch of reads. */
  readItem(scope: TeamScope, endpointId: string): ReadItem<WebhookEndpoint | undefined> {
    return this.#table.readItem(endpointKey(scope, endpointId), webhookEndpoint);
  }

  async list(scope: TeamScope): Promise<WebhookEndpoint[]> {
    const input = {
      KeyConditionExpression: "pk = :team",
      ExpressionAttributeValues: { ":team": `${webhookEndpoints.keyPrefix}${scope.teamId}` },
    };
    return Array.fromAsync(this.#table.queryAll(input, webhookEndpoint));
  }

  /** Disables an endpoint automatically, unless it is disabled or deleted. @param now ISO 8601. */
  async disable(scope: TeamScope, endpointId: string, reason: DisabledReason, now: string): Promise<void> {
    await unlessConditionFailed(
      this.#table.update(endpointKey(scope, endpointId), {
        UpdateExpression: "SET disabled = :true, disabled_reason = :reason, updated_at = :now",
        ConditionExpression: "disabled = :false",
        ExpressionAttributeValues: { ":true": true, ":false": false, ":reason": reason, ":now": now },
      }),
    );
  }

  /** Updates settings. @throws ConditionFailed if the endpoint does not exist; a deleted endpoint stays deleted. */
  async update(scope: TeamScope, endpointId: string, changes: Partial<WebhookEndpoint>): Promise<WebhookEndpoint> {
    const change = { ...setExpression(changes), ConditionExpression: "attribute_exists(pk)" };
    return webhookEndpoint.parse(await this.#table.update(endpointKey(scope, endpointId), change));
  }

  /**
   * Replaces the secret that was read. The previous secret stays valid until `expires_at` (ISO 8601).
   * @throws ConditionFailed if the secret was replaced or deleted, or an earlier one is still valid.
   */
  async rotateSecret(
    scope: TeamScope,
    { endpoint_id, sealed_secret: seen }: WebhookEndpoint,
    { sealed_secret, now, expires_at }: { sealed_secret: string; now: string; expires_at: string },
  ): Promise<void> {
    const previous_secret = { sealed_secret: seen, expires_at };
    const set = setExpression({ sealed_secret, previous_secret, updated_at: now });
    const write = this.#table.update(endpointKey(scope, endpoint_id), {
      ...set,
      ConditionExpression:
        "sealed_secret = :seen AND (attribute_not_exists(previous_secret.expires_at) OR previous_secret.expires_at <= :now)",
      ExpressionAttributeValues: { ...set.ExpressionAttributeValues, ":seen": seen, ":now": now },
    });
    await write.catch((error) => {
      // The client repeats a write whose answer was lost, and finds its own secret.
      const isDone = error instanceof ConditionFailed && error.items.get(0)?.sealed_secret === sealed_secret;
      if (!isDone) throw error;
    });
  }

  /** Builds the write that updates an endpoint. It fails if the URL has changed since it was read. */
  updateItem(scope: TeamScope, seen: WebhookEndpoint, changes: Partial<WebhookEndpoint>): WriteItem {
    return { Update: this.#asSeen(scope, seen, setExpression(changes)) };
  }

  /** Builds the write that deletes an endpoint. It fails if the URL has changed since it was read. */
  deleteItem(scope: TeamScope, seen: WebhookEndpoint): WriteItem {
    return { Delete: this.#asSeen(scope, seen, {}) };
  }

  /** Builds the write of a new endpoint. It fails if the id exists. */
  createItem(scope: TeamScope, endpoint: WebhookEndpoint): WriteItem {
    const Item = { ...endpointKey(scope, endpoint.endpoint_id), ...endpoint };
    return { Put: { TableName: this.#table.name, Item, ConditionExpression: NOT_EXISTS } };
  }

  #asSeen<E extends Expression>(scope: TeamScope, { endpoint_id, url }: WebhookEndpoint, change: E) {
    return {
      ...change,
      TableName: this.#table.name,
      Key: endpointKey(scope, endpoint_id),
      ConditionExpression: "#url = :seenUrl",
      ExpressionAttributeNames: { ...change.ExpressionAttributeNames, "#url": "url" },
      ExpressionAttributeValues: { ...change.ExpressionAttributeValues, ":seenUrl": url },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
    };
  }
}
