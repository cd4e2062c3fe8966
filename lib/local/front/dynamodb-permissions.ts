import * as z from "zod";
import { isRecord } from "../template/intrinsics.ts";
import { AwsError } from "./aws-error.ts";
import type { Catalogue, TableKeys } from "./catalogue.ts";
import type { Permission } from "./permission.ts";

const attributeValue = z.union([
  z.object({ S: z.string() }).transform(({ S }) => S),
  z.object({ N: z.string() }).transform(({ N }) => N),
  z.object({ B: z.string() }).transform(({ B }) => B),
]);
/** An item or key, of which only the key attributes are validated. */
const attributes = z.custom<Readonly<Record<string, unknown>>>(isRecord);

const onTable = z.object({ TableName: z.string() });
const withKey = onTable.extend({ Key: attributes });
const withItem = onTable.extend({ Item: attributes });
const withIndex = onTable.extend({ IndexName: z.string().optional() });
const query = withIndex.extend({
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
    z.object({ Statement: z.string().regex(INSERT), Parameters: z.array(z.unknown()) }).transform(inserted),
  ),
});
const transaction = z.object({ TransactItems: z.array(z.record(z.string(), z.unknown())) });

type Rule = (body: unknown, catalogue: Catalogue) => Permission[];

const byKey =
  (action: string): Rule =>
  (body, catalogue) => {
    const { TableName, Key } = withKey.parse(body);
    return [forItems(action, tableOf(TableName, catalogue), [Key])];
  };

const put: Rule = (body, catalogue) => {
  const { TableName, Item } = withItem.parse(body);
  return [forItems("PutItem", tableOf(TableName, catalogue), [Item])];
};

/** Permissions of the elements of a transaction. TransactWriteItems and TransactGetItems are not IAM actions. */
const elements: Readonly<Record<string, Rule>> = {
  Get: byKey("GetItem"),
  Put: put,
  Update: byKey("UpdateItem"),
  Delete: byKey("DeleteItem"),
  ConditionCheck: byKey("ConditionCheckItem"),
};

const transact: Rule = (body, catalogue) =>
  transaction
    .parse(body)
    .TransactItems.flatMap(Object.entries)
    .flatMap(([kind, element]) => elements[kind]?.(element, catalogue) ?? unknown(kind));

const rules: Readonly<Record<string, Rule>> = {
  GetItem: byKey("GetItem"),
  PutItem: put,
  UpdateItem: byKey("UpdateItem"),
  DeleteItem: byKey("DeleteItem"),
  Query: (body, catalogue) => {
    const input = query.parse(body);
    const { arn, partitionKey } = tableOrIndex(input, catalogue);
    return [{ action: "dynamodb:Query", resource: arn, leadingKeys: [queriedKey(input, partitionKey)] }];
  },
  Scan: (body, catalogue) => [
    { action: "dynamodb:Scan", resource: tableOrIndex(withIndex.parse(body), catalogue).arn },
  ],
  DescribeTable: (body, catalogue) => [
    { action: "dynamodb:DescribeTable", resource: tableOf(onTable.parse(body).TableName, catalogue).arn },
  ],
  BatchGetItem: (body, catalogue) => {
    const [table, { Keys }] = onlyTable("BatchGetItem", Object.entries(batchGet.parse(body).RequestItems));
    return [forItems("BatchGetItem", tableOf(table, catalogue), Keys)];
  },
  BatchWriteItem: (body, catalogue) => {
    const [table, items] = onlyTable("BatchWriteItem", Object.entries(batchWrite.parse(body).RequestItems));
    return [forItems("BatchWriteItem", tableOf(table, catalogue), items)];
  },
  BatchExecuteStatement: (body, catalogue) => {
    const byTable = Map.groupBy(statements.parse(body).Statements, ({ table }) => table);
    const [table, all] = onlyTable("BatchExecuteStatement", [...byTable]);
    const items = all.map(({ item }) => item);
    return [forItems("PartiQLInsert", tableOf(table, catalogue), items)];
  },
  TransactWriteItems: transact,
  TransactGetItems: transact,
};

/**
 * Lists the permissions of a DynamoDB request: action, table or index, and partition keys
 * (DynamoDB developer guide, "Using IAM policy conditions for fine-grained access control").
 * @throws AwsError for an unknown operation or table, ZodError for an invalid body.
 */
export function dynamodbPermissions(operation: string, body: unknown, catalogue: Catalogue): Permission[] {
  return rules[operation]?.(body, catalogue) ?? unknown(operation);
}

/**
 * The only table of a batch. AWS does not document how it evaluates `dynamodb:LeadingKeys` for a batch on several
 * tables, so the local cloud rejects such a batch. @throws AwsError unless the batch has exactly one table.
 */
function onlyTable<T>(operation: string, tables: readonly T[]): T {
  const [only] = tables;
  if (tables.length === 1 && only !== undefined) return only;
  throw new AwsError(
    400,
    "AccessDeniedException",
    `${operation} has ${tables.length} tables; the local cloud allows one`,
  );
}

/** Parses the table and the item of an INSERT statement. */
function inserted({ Statement, Parameters }: { Statement: string; Parameters: unknown[] }) {
  const [, table = "", value = ""] = INSERT.exec(Statement) ?? [];
  const names = [...value.matchAll(/'([^']+)': \?/g)].map(([, name = ""]) => name);
  return { table, item: Object.fromEntries(names.map((name, place) => [name, Parameters[place]])) };
}

function forItems(action: string, table: TableKeys, items: readonly Record<string, unknown>[]): Permission {
  const leadingKeys = items.map((item) => keyValue(item, table.partitionKey));
  return { action: `dynamodb:${action}`, resource: table.arn, leadingKeys };
}

function keyValue(holder: Readonly<Record<string, unknown>>, name: string): string {
  const value = attributeValue.safeParse(holder[name]);
  if (!value.success) throw new AwsError(400, "ValidationException", `the key attribute or value ${name} is missing`);
  return value.data;
}

/** Finds a table by name or ARN. @throws AwsError for an unknown table, because policies need its keys. */
function tableOf(nameOrArn: string, catalogue: Catalogue): TableKeys {
  const table = catalogue.tables.get(nameOrArn.slice(nameOrArn.lastIndexOf("/") + 1));
  if (!table) throw new AwsError(400, "ResourceNotFoundException", `the templates have no table ${nameOrArn}`);
  return table;
}

function tableOrIndex({ TableName, IndexName }: z.output<typeof withIndex>, catalogue: Catalogue) {
  const table = tableOf(TableName, catalogue);
  if (IndexName === undefined) return table;
  const partitionKey = table.indexes.get(IndexName);
  if (partitionKey === undefined) {
    throw new AwsError(400, "ValidationException", `the table ${TableName} has no index ${IndexName}`);
  }
  return { arn: `${table.arn}/index/${IndexName}`, partitionKey };
}

/** The partition key value of a query's key condition. @throws AwsError when the condition does not fix it. */
function queriedKey(input: z.output<typeof query>, partitionKey: string): string {
  const equalities = input.KeyConditionExpression.matchAll(/([\w.#-]+)\s*=\s*(:\w+)|(:\w+)\s*=\s*([\w.#-]+)/g);
  for (const [, left, right, value = right, attribute = left] of equalities) {
    const name = input.ExpressionAttributeNames[attribute ?? ""] ?? attribute;
    if (name === partitionKey) return keyValue(input.ExpressionAttributeValues, value ?? "");
  }
  throw new AwsError(400, "ValidationException", `the key condition does not fix the partition key ${partitionKey}`);
}

function unknown(operation: string): never {
  throw new AwsError(400, "UnknownOperationException", `the local cloud does not support ${operation}`);
}
