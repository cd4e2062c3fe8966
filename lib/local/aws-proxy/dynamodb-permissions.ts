import * as z from "zod";
import { isJsonObject } from "../../domain/shared/json.ts";
import { AwsError } from "./aws-error.ts";
import type { Permission } from "./permission.ts";
import type { ResourceIndex, TableKeySchema } from "./resource-index.ts";

const attributeValue = z.union([
  z.object({ S: z.string() }).transform(({ S }) => S),
  z.object({ N: z.string() }).transform(({ N }) => N),
  z.object({ B: z.string() }).transform(({ B }) => B),
]);
/** An item or key, of which only the key attributes are validated. */
const attributes = z.custom<Readonly<Record<string, unknown>>>(isJsonObject);

const tableRequest = z.object({ TableName: z.string() });
const keyRequest = tableRequest.extend({ Key: attributes });
const itemRequest = tableRequest.extend({ Item: attributes });
const indexRequest = tableRequest.extend({ IndexName: z.string().optional() });
const query = indexRequest.extend({
  KeyConditionExpression: z.string(),
  ExpressionAttributeNames: z.record(z.string(), z.string()).default({}),
  ExpressionAttributeValues: attributes.default({}),
});
const batchGet = z.object({ RequestItems: z.record(z.string(), z.object({ Keys: z.array(attributes) })) });
const batchWrite = z.object({
  RequestItems: z.record(
    z.string(),
    z.array(
      z.union([
        z.object({ PutRequest: z.object({ Item: attributes }) }).transform(({ PutRequest }) => PutRequest.Item),
        z.object({ DeleteRequest: z.object({ Key: attributes }) }).transform(({ DeleteRequest }) => DeleteRequest.Key),
      ]),
    ),
  ),
});
/** The only supported PartiQL statement: INSERT of an item whose values are all parameters. */
const INSERT = /^INSERT INTO "([^"]+)" VALUE \{(.+)\}$/;
const statements = z.object({
  Statements: z.array(
    z.object({ Statement: z.string().regex(INSERT), Parameters: z.array(z.unknown()) }).transform(parseInsert),
  ),
});
const transaction = z.object({ TransactItems: z.array(z.record(z.string(), z.unknown())) });

type PermissionRule = (body: unknown, catalogue: ResourceIndex) => Permission[];

const byKey =
  (action: string): PermissionRule =>
  (body, catalogue) => {
    const { TableName, Key } = keyRequest.parse(body);
    return [itemPermission(action, requireTable(TableName, catalogue), [Key])];
  };

const put: PermissionRule = (body, catalogue) => {
  const { TableName, Item } = itemRequest.parse(body);
  return [itemPermission("PutItem", requireTable(TableName, catalogue), [Item])];
};

/** Permissions of the elements of a transaction. TransactWriteItems and TransactGetItems are not IAM actions. */
const transactionRules: Readonly<Record<string, PermissionRule>> = {
  Get: byKey("GetItem"),
  Put: put,
  Update: byKey("UpdateItem"),
  Delete: byKey("DeleteItem"),
  ConditionCheck: byKey("ConditionCheckItem"),
};

const transact: PermissionRule = (body, catalogue) =>
  transaction
    .parse(body)
    .TransactItems.flatMap(Object.entries)
    .flatMap(([kind, element]) => transactionRules[kind]?.(element, catalogue) ?? unknownOperation(kind));

const operationRules: Readonly<Record<string, PermissionRule>> = {
  GetItem: byKey("GetItem"),
  PutItem: put,
  UpdateItem: byKey("UpdateItem"),
  DeleteItem: byKey("DeleteItem"),
  Query: (body, catalogue) => {
    const input = query.parse(body);
    const { arn, partitionKey } = tableOrIndex(input, catalogue);
    return [{ action: "dynamodb:Query", resource: arn, leadingKeys: [queryPartitionKey(input, partitionKey)] }];
  },
  Scan: (body, catalogue) => [
    { action: "dynamodb:Scan", resource: tableOrIndex(indexRequest.parse(body), catalogue).arn },
  ],
  DescribeTable: (body, catalogue) => [
    { action: "dynamodb:DescribeTable", resource: requireTable(tableRequest.parse(body).TableName, catalogue).arn },
  ],
  BatchGetItem: (body, catalogue) => {
    const [table, { Keys }] = requireSingleTable("BatchGetItem", Object.entries(batchGet.parse(body).RequestItems));
    return [itemPermission("BatchGetItem", requireTable(table, catalogue), Keys)];
  },
  BatchWriteItem: (body, catalogue) => {
    const [table, items] = requireSingleTable("BatchWriteItem", Object.entries(batchWrite.parse(body).RequestItems));
    return [itemPermission("BatchWriteItem", requireTable(table, catalogue), items)];
  },
  BatchExecuteStatement: (body, catalogue) => {
    const byTable = Map.groupBy(statements.parse(body).Statements, ({ table }) => table);
    const [table, all] = requireSingleTable("BatchExecuteStatement", [...byTable]);
    const items = all.map(({ item }) => item);
    return [itemPermission("PartiQLInsert", requireTable(table, catalogue), items)];
  },
  TransactWriteItems: transact,
  TransactGetItems: transact,
};

/**
 * Lists the permissions of a DynamoDB request: action, table or index, and partition keys
 * (DynamoDB developer guide, "Using IAM policy conditions for fine-grained access control").
 * @throws AwsError for an unknown operation or table, ZodError for an invalid body.
 */
export function dynamodbPermissions(operation: string, body: unknown, catalogue: ResourceIndex): Permission[] {
  return operationRules[operation]?.(body, catalogue) ?? unknownOperation(operation);
}

/**
 * The only table of a batch. AWS does not document how it evaluates `dynamodb:LeadingKeys` for a batch on several
 * tables, so the local cloud rejects such a batch. @throws AwsError unless the batch has exactly one table.
 */
function requireSingleTable<T>(operation: string, tables: readonly T[]): T {
  const [only] = tables;
  if (tables.length === 1 && only !== undefined) return only;
  throw new AwsError(
    400,
    "AccessDeniedException",
    `${operation} has ${tables.length} tables; the local cloud allows one`,
  );
}

/** Parses the table and the item of an INSERT statement. */
function parseInsert({ Statement, Parameters }: { Statement: string; Parameters: unknown[] }) {
  const [, table = "", value = ""] = INSERT.exec(Statement) ?? [];
  const names = [...value.matchAll(/'([^']+)': \?/g)].map(([, name = ""]) => name);
  return { table, item: Object.fromEntries(names.map((name, place) => [name, Parameters[place]])) };
}

function itemPermission(action: string, table: TableKeySchema, items: readonly Record<string, unknown>[]): Permission {
  const leadingKeys = items.map((item) => keyValue(item, table.partitionKey));
  return { action: `dynamodb:${action}`, resource: table.arn, leadingKeys };
}

function keyValue(holder: Readonly<Record<string, unknown>>, name: string): string {
  const value = attributeValue.safeParse(holder[name]);
  if (!value.success) throw new AwsError(400, "ValidationException", `the key attribute or value ${name} is missing`);
  return value.data;
}

/** Finds a table by name or ARN. @throws AwsError for an unknown table, because policies need its keys. */
function requireTable(nameOrArn: string, catalogue: ResourceIndex): TableKeySchema {
  const table = catalogue.tables.get(nameOrArn.slice(nameOrArn.lastIndexOf("/") + 1));
  if (!table) throw new AwsError(400, "ResourceNotFoundException", `the templates have no table ${nameOrArn}`);
  return table;
}

function tableOrIndex({ TableName, IndexName }: z.output<typeof indexRequest>, catalogue: ResourceIndex) {
  const table = requireTable(TableName, catalogue);
  if (IndexName === undefined) return table;
  const partitionKey = table.indexes.get(IndexName);
  if (partitionKey === undefined) {
    throw new AwsError(400, "ValidationException", `the table ${TableName} has no index ${IndexName}`);
  }
  return { arn: `${table.arn}/index/${IndexName}`, partitionKey };
}

/** The partition key value of a query's key condition. @throws AwsError when the condition does not fix it. */
function queryPartitionKey(input: z.output<typeof query>, partitionKey: string): string {
  const equalities = input.KeyConditionExpression.matchAll(/([\w.#-]+)\s*=\s*(:\w+)|(:\w+)\s*=\s*([\w.#-]+)/g);
  for (const [, left, right, value = right, attribute = left] of equalities) {
    const name = input.ExpressionAttributeNames[attribute ?? ""] ?? attribute;
    if (name === partitionKey) return keyValue(input.ExpressionAttributeValues, value ?? "");
  }
  throw new AwsError(400, "ValidationException", `the key condition does not fix the partition key ${partitionKey}`);
}

function unknownOperation(operation: string): never {
  throw new AwsError(400, "UnknownOperationException", `the local cloud does not support ${operation}`);
}
