import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { JunctionClient } from "@junction-api/sdk";
import { users } from "../../lib/contract/resources.ts";
import { locateResource } from "../../lib/runtime/aws/aws.ts";
import { Table } from "../../lib/store/table.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";
import { UserStore } from "../../lib/store/users/users.ts";
import { setPullDays } from "../local/service/connections/link-helpers.ts";
import { TestService } from "../support/service.ts";
import { streamRecords, summaryRecords, timeseriesRecords } from "./records.ts";

/** The provider of all data. */
export const dataProvider = "apple_health_kit";

/** A running service, a public client for it, and a user with data of every kind. */
export class ContractWorld {
  readonly service: TestService;
  readonly client: JunctionClient;
  /** The user with data. */
  readonly userId: string;
  readonly clientUserId: string;
  #count = 0;

  private constructor(service: TestService, client: JunctionClient, userId: string, clientUserId: string) {
    this.service = service;
    this.client = client;
    this.userId = userId;
    this.clientUserId = clientUserId;
  }

  static async start(): Promise<ContractWorld> {
    const service = await TestService.start();
    // These tests do not read an account's data. Storing months of it takes a minute.
    await setPullDays(service, 2);
    const client = new JunctionClient({
      apiKey: service.identity.api_key,
      baseUrl: service.baseUrl,
      maxRetries: 0,
      timeoutInSeconds: 20,
    });
    const clientUserId = "ada-with-data";
    const userId = await service.createUser(clientUserId);
    const body = {
      provider: dataProvider,
      source_type: "watch",
      resources: { ...timeseriesRecords, ...summaryRecords, ...streamRecords },
    };
    const answer = await service.call("POST", `/v2/ingest/${userId}`, { body });
    if (answer.status !== 202 || answer.body.rejected.length > 0) throw new Error(JSON.stringify(answer.body));
    await service.settle();
    return new ContractWorld(service, client, userId, clientUserId);
  }

  /** An unused `client_user_id`. */
  newClientUserId(): string {
    this.#count += 1;
    return `end-user-${this.#count}`;
  }

  /** Creates a user for a call that changes users. @returns its id. */
  newUser(): Promise<string> {
    return this.service.createUser(this.newClientUserId());
  }

  /** Reads the user's item from the directory table. */
  async storedUser(userId: string): Promise<Record<string, unknown> | undefined> {
    const { dynamodb, assembly } = this.service.cloud;
    const credentials = { accessKeyId: "local", secretAccessKey: "local" };
    const client = new DynamoDBClient({ endpoint: dynamodb.origin, region: assembly.region, credentials });
    const table = new Table(DynamoDBDocumentClient.from(client), locateResource(users));
    const user = await new UserStore(table).getAnyState(TeamScope.grant(this.service.identity.team_id), userId);
    client.destroy();
    return user;
  }

  stop(): Promise<void> {
    return this.service.stop();
  }
}
