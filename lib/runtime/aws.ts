import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { environmentName, type Grant } from "../contract/access.ts";
import type { TableResource } from "../contract/resource-kinds.ts";
import { Table } from "../store/table.ts";
import { keptByContainer } from "./container.ts";

/** The DynamoDB client that all stores of this container share. */
export const documents = keptByContainer(() =>
  DynamoDBDocumentClient.from(new DynamoDBClient({}), { marshallOptions: { removeUndefinedValues: true } }),
);

/** Where a granted resource is: a table name, queue URL, bus name, bucket, machine, key or secret ARN, from the environment. */
export function locate(on: Grant["on"]): string {
  const name = environmentName(on);
  const value = process.env[name];
  if (!value) throw new Error(`the environment variable ${name} is not set: the function did not declare access to it`);
  return value;
}

/** The table that a resource stands for in this deployment. */
export function tableOf(resource: TableResource): Table {
  return new Table(documents(), locate({ kind: "entity", store: "", table: resource, keyPrefix: "" }));
}
