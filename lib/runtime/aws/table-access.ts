import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { TableResource } from "../../contract/resource-kinds.ts";
import type { Table } from "../../store/table.ts";
import { oncePerContainer } from "../container.ts";
import { documentClient, documentClientAs, openTable } from "./aws.ts";
import type { AwsCredentials } from "./environment-credentials.ts";

/** Access to tables with the credentials of one role, and the dependencies that were created with it. */
export class TableAccess {
  /** Returns the client, which is created at first use. */
  readonly documents: () => DynamoDBDocumentClient;
  readonly #created = new Map<string, unknown>();

  constructor(documents: () => DynamoDBDocumentClient) {
    this.documents = documents;
  }

  /** Access with the credentials of an assumed role. */
  static as(credentials: AwsCredentials): TableAccess {
    const documents = documentClientAs(credentials);
    return new TableAccess(() => documents);
  }

  readonly open = (resource: TableResource): Table => openTable(resource, this.documents());

  /** Creates a value by this name at first use. */
  once<T>(name: string, create: () => T): T {
    if (!this.#created.has(name)) this.#created.set(name, create());
    return this.#created.get(name) as T;
  }
}

/** Access with the credentials of the function, for the life of the container. */
export const ownTables = oncePerContainer(() => new TableAccess(documentClient));
