import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import { type EncryptionContext, EnvelopeEncryption } from "../../../../lib/crypto/envelope-encryption.ts";
import type { WebhookEndpoint } from "../../../../lib/events/webhooks/webhook-endpoint.ts";
import { createKmsEngine } from "../../../../lib/local/engines/kms.ts";
import { setExpression, Table } from "../../../../lib/store/table.ts";
import { TeamScope } from "../../../../lib/store/team-scope.ts";
import { DeliveryStore } from "../../../../lib/store/webhooks/deliveries.ts";
import { EndpointHealthStore } from "../../../../lib/store/webhooks/endpoint-health.ts";
import { WebhookEndpointStore } from "../../../../lib/store/webhooks/webhook-endpoints.ts";
import type { TestService } from "../../../support/service.ts";
import { createEngineClient } from "../support/stored-items.ts";

/** Reads and changes stored endpoints and deliveries directly in the tables. */
export class DeliveryRecords {
  readonly health: EndpointHealthStore;
  readonly table: Table;
  readonly #deliveries: DeliveryStore;
  readonly #endpoints: WebhookEndpointStore;
  readonly #service: TestService;
  readonly #client: DynamoDBDocumentClient;

  constructor(service: TestService) {
    this.#service = service;
    this.#client = createEngineClient(service);
    this.table = new Table(this.#client, process.env.TABLE_EVENTS ?? "");
    this.health = new EndpointHealthStore(this.table);
    this.#deliveries = new DeliveryStore(this.table);
    this.#endpoints = new WebhookEndpointStore(this.table);
  }

  stop(): void {
    this.#client.destroy();
  }

  /** Returns the only endpoint of a key's team. */
  async endpoint(userId: string, key: string): Promise<WebhookEndpoint> {
    const { team_id } = (await this.#service.call("GET", `/v2/user/${userId}`, { key })).body;
    const [endpoint] = await this.#endpoints.list(TeamScope.grant(team_id));
    if (!endpoint) throw new Error("no endpoint");
    return endpoint;
  }

  /** Changes settings of an endpoint that no route can set. */
  async change({ team_id, endpoint_id }: WebhookEndpoint, changes: Partial<WebhookEndpoint>): Promise<void> {
    await this.table.update({ pk: `endpoint#${team_id}`, sk: endpoint_id }, setExpression(changes));
  }

  /** Reads the delivery of an event. */
  async delivery({ team_id, endpoint_id }: WebhookEndpoint, userId: string, eventId: string) {
    const found = await this.#deliveries.get({ team_id, user_id: userId, endpoint_id, event_id: eventId });
    if (!found) throw new Error(`no delivery of ${eventId}`);
    return found;
  }

  /** Lists the deliveries that wait for leases of a user. */
  async waiting({ team_id }: WebhookEndpoint, userId: string): Promise<string[]> {
    const { items } = await this.table.query(
      {
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": `lease#${team_id}#${userId}` },
      },
      z.object({ waiting: z.set(z.string()).default(new Set()) }),
    );
    return items.flatMap(({ waiting }) => [...waiting]);
  }

  /** Seals a text with the master key of the installation. */
  seal(text: string, context: EncryptionContext): Promise<string> {
    const KeyId = process.env.KEY_WEBHOOK_SECRETS ?? "";
    const engine = createKmsEngine(this.#service.data.file("kms.key"));
    const dataKeys = {
      async generate(bound: EncryptionContext) {
        const answer = await engine("GenerateDataKey", { KeyId, KeySpec: "AES_256", EncryptionContext: bound });
        const { Plaintext, CiphertextBlob } = z.record(z.string(), z.string()).parse(answer);
        return { plain: Buffer.from(Plaintext ?? "", "base64"), wrapped: Buffer.from(CiphertextBlob ?? "", "base64") };
      },
      unwrap: () => Promise.reject(new Error("not asked for")),
    };
    return new EnvelopeEncryption(dataKeys).encrypt(text, context);
  }
}
