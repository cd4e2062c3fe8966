import { randomUUID } from "node:crypto";
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteTableCommand,
  DynamoDBClient,
  type GlobalSecondaryIndex,
} from "@aws-sdk/client-dynamodb";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { resourceVariable } from "../../lib/contract/access.ts";
import type { IndexKeys, TableResource } from "../../lib/contract/resource-kinds.ts";
import { tables } from "../../lib/contract/resources.ts";
import { IN_MEMORY, startDynamodb as startEngine } from "../../lib/local/engines/dynamodb.ts";
import { documentClient } from "../../lib/runtime/aws/aws.ts";
import { CONTAINER_VARIABLE } from "../../lib/runtime/container.ts";

/** The database of a test: the real engine with empty tables of the service. */
export interface TestDynamodb {
  /** The client that the stores of this process share. */
  readonly documents: DynamoDBDocumentClient;
  /** Deletes all items. */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the real DynamoDB engine in memory on a free port and creates the tables that lib/contract/resources.ts
 * declares. Sets the environment of this process as in a container, so that stores and handlers use these tables
 * unchanged. One at a time.
 */
export async function startDynamodb(): Promise<TestDynamodb> {
  const engine = await startEngine(IN_MEMORY);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: engine.origin,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    [CONTAINER_VARIABLE]: randomUUID(),
  });
  for (const table of tables) process.env[tableVariable(table)] = table.name;
  const client = new DynamoDBClient({});
  const createAll = async () => {
    for (const table of tables) await client.send(new CreateTableCommand(tableInput(table)));
  };
  await createAll();
  return {
    documents: documentClient(),
    clear: async () => {
      for (const { name } of tables) await client.send(new DeleteTableCommand({ TableName: name }));
      await createAll();
    },
    stop: async () => {
      client.destroy();
      documentClient().destroy();
      await engine.stop();
    },
  };
}

/** The environment variable with the name of a table. */
function tableVariable(table: TableResource): string {
  return resourceVariable({ kind: "entity", store: "", table, keyPrefix: "" });
}

function tableInput({ name, indexes }: TableResource): CreateTableCommandInput {
  const keys = Object.values(indexes).flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]);
  const attributes = [...new Set(["pk", "sk", ...keys])];
  const secondary = Object.entries(indexes).map(([index, declared]) => indexInput(index, declared));
  return {
    TableName: name,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: keySchema("pk", "sk"),
    AttributeDefinitions: attributes.map((attribute) => ({ AttributeName: attribute, AttributeType: "S" })),
    ...(secondary.length > 0 ? { GlobalSecondaryIndexes: secondary } : {}),
  };
}

function indexInput(name: string, { partitionKey, sortKey, projectedAttributes }: IndexKeys): GlobalSecondaryIndex {
  const isKeysOnly = projectedAttributes?.length === 0;
  const projection = projectedAttributes && !isKeysOnly ? { NonKeyAttributes: [...projectedAttributes] } : {};
  const type = projectedAttributes === undefined ? "ALL" : isKeysOnly ? "KEYS_ONLY" : "INCLUDE";
  return {
    IndexName: name,
    KeySchema: keySchema(partitionKey, sortKey),
    Projection: { ProjectionType: type, ...projection },
  };
}

function keySchema(partitionKey: string, sortKey: string): NonNullable<CreateTableCommandInput["KeySchema"]> {
  return [
    { AttributeName: partitionKey, KeyType: "HASH" },
    { AttributeName: sortKey, KeyType: "RANGE" },
  ];
}
