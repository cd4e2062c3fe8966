import { consoleProviders } from "../../contract/resources.ts";
import { type ConsoleProvider, consoleProvider } from "../../domain/console/console-provider.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

const providerKey = ({ teamId }: TeamScope): Key => ({ pk: `${consoleProviders.keyPrefix}${teamId}`, sk: "provider" });

/** OpenID Connect providers of teams, at most one each. */
export class ConsoleProviderStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope): Promise<ConsoleProvider | undefined> {
    return this.#table.get(providerKey(scope), consoleProvider);
  }

  /** Builds the write that replaces the provider that was read. It fails if the provider changed since. */
  replaceItem(scope: TeamScope, provider: ConsoleProvider, before: ConsoleProvider | undefined): WriteItem {
    const Put = { TableName: this.#table.name, Item: { ...providerKey(scope), ...provider } };
    return { Put: { ...Put, ...(before ? unchangedSince(before) : { ConditionExpression: NOT_EXISTS }) } };
  }

  /** Builds the write that deletes the provider that was read. It fails if the provider changed since. */
  deleteItem(scope: TeamScope, before: ConsoleProvider): WriteItem {
    return { Delete: { TableName: this.#table.name, Key: providerKey(scope), ...unchangedSince(before) } };
  }
}

/** Every write of a provider encrypts its secret anew, so the envelope is a version. */
const unchangedSince = ({ sealed }: ConsoleProvider) => ({
  ConditionExpression: "sealed = :sealed",
  ExpressionAttributeValues: { ":sealed": sealed },
});
