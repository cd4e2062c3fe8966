import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { type Grant, resourceVariable } from "../../contract/access.ts";
import type { TableResource } from "../../contract/resource-kinds.ts";
import { Table } from "../../store/table.ts";
import { oncePerContainer } from "../container.ts";
import type { AwsCredentials } from "./environment-credentials.ts";

const toDocumentClient = (client: DynamoDBClient) =>
  DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });

/** The DynamoDB document client with the credentials of the function, which the stores of a container share. */
export const documentClient = oncePerContainer(() => toDocumentClient(new DynamoDBClient({})));

/** Returns a document client with other credentials, over the connections of the container's client. */
export const documentClientAs = (credentials: AwsCredentials): DynamoDBDocumentClient =>
  toDocumentClient(new DynamoDBClient({ credentials, requestHandler: documentClient().config.requestHandler }));

/**
 * Returns the location of a granted resource from the environment: the name of a table, bus or bucket, the URL of a
 * queue, or the ARN of a state machine, key or secret. @throws Error if the function did not declare access.
 */
export function locateResource(on: Grant["resource"]): string {
  const name = resourceVariable(on);
  const value = process.env[name];
  if (!value) throw new Error(`the environment variable ${name} is not set: the function did not declare access to it`);
  return value;
}

/** Opens the table of a resource in this deployment. @param documents by default with the credentials of the function. */
export function openTable(resource: TableResource, documents = documentClient()): Table {
  return new Table(documents, locateResource({ kind: "entity", store: "", table: resource, keyPrefix: "" }));
}
