import {
  type AttributeValue,
  DynamoDBClient,
  ListTablesCommand,
  ScanCommand,
  type ScanCommandOutput,
} from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { accessLog } from "../../../../lib/contract/resources.ts";
import type { TestService } from "../../../support/service.ts";

/** Creates a client of the DynamoDB engine itself, which bypasses the AWS proxy and its policies. */
export function createEngineClient({ cloud }: TestService): DynamoDBDocumentClient {
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const client = new DynamoDBClient({ endpoint: cloud.dynamodb.origin, region: cloud.assembly.region, credentials });
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}

/** An item of a table as the engine stores it, with typed attribute values. */
interface StoredItem {
  readonly table: string;
  readonly item: Readonly<Record<string, AttributeValue>>;
}

/** Yields the items of all tables. */
export async function* scanAllItems(service: TestService): AsyncGenerator<StoredItem> {
  const client = createEngineClient(service);
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  for (const TableName of TableNames) {
    let start: Record<string, AttributeValue> | undefined;
    do {
      const page: ScanCommandOutput = await client.send(new ScanCommand({ TableName, ExclusiveStartKey: start }));
      for (const item of page.Items ?? []) yield { table: TableName, item };
      start = page.LastEvaluatedKey;
    } while (start);
  }
  client.destroy();
}

/** Returns `table pk sk` of every item of any table that contains `text` outside its binary attributes. */
export async function findItemsContaining(service: TestService, text: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { table, item } of scanAllItems(service)) {
    const { pk, sk } = item;
    if (JSON.stringify(item).includes(text)) found.push(`${table} ${pk?.S} ${sk?.S}`);
  }
  return found;
}

/** Access log entries are retained for six years; they name users by digests, and resources by their ids. */
const isAccessLogEntry = (item: string): boolean => item.includes(` ${accessLog.keyPrefix}`);

/** Like {@link findItemsContaining}, without entries of the access log. */
export async function findItemsOutsideAccessLog(service: TestService, text: string): Promise<string[]> {
  return (await findItemsContaining(service, text)).filter((item) => !isAccessLogEntry(item));
}

/** Returns the physical function name of a contract. */
export function findFunctionName({ cloud }: TestService, operationId: string): string {
  const [name] = cloud.assembly.resources
    .filter(({ type, logicalId }) => type === "AWS::Lambda::Function" && logicalId.startsWith(`${operationId}Function`))
    .map(({ name }) => name);
  if (name === undefined) throw new Error(`no function ${operationId}`);
  return name;
}
