import { customCredentials } from "../../contract/resources.ts";
import {
  type CustomCredentials,
  customCredentialsRecord,
} from "../../domain/connections/providers/custom-credentials.ts";
import type { Key } from "../item.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

const partition = ({ teamId }: TeamScope) => `${customCredentials.keyPrefix}${teamId}`;
const credentialsKey = (scope: TeamScope, source: string): Key => ({ pk: partition(scope), sk: source });

/** Credentials of teams' own applications at providers, one for each provider. */
export class CustomCredentialStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, source: string): Promise<CustomCredentials | undefined> {
    return this.#table.get(credentialsKey(scope, source), customCredentialsRecord);
  }

  list(scope: TeamScope): Promise<CustomCredentials[]> {
    const input = { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": partition(scope) } };
    return Array.fromAsync(this.#table.queryAll(input, customCredentialsRecord));
  }

  /**
   * Replaces the credentials that were read.
   * @throws ConditionFailed if they were replaced or deleted in the meantime.
   */
  replace(scope: TeamScope, credentials: CustomCredentials, before: CustomCredentials | undefined): Promise<void> {
    const item = { ...credentialsKey(scope, credentials.source), ...credentials };
    if (before === undefined) return this.#table.put(item, { ConditionExpression: "attribute_not_exists(pk)" });
    return this.#table.put(item, {
      ConditionExpression: "sealed = :sealed",
      ExpressionAttributeValues: { ":sealed": before.sealed },
    });
  }

  /** @throws ConditionFailed if they were replaced or deleted in the meantime. */
  delete(scope: TeamScope, { source, id }: CustomCredentials): Promise<void> {
    return this.#table.delete(credentialsKey(scope, source), {
      ConditionExpression: "id = :id",
      ExpressionAttributeValues: { ":id": id },
    });
  }
}
