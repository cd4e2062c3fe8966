import { labAccounts } from "../../contract/resources.ts";
import { type LabAccount, labAccountRecord } from "../../domain/lab-tests/lab-account.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, setExpression, type Table } from "../table.ts";
import type { WriteItem } from "../transaction.ts";

const labAccountKey = (orgId: string, accountId: string): Key => ({
  pk: `${labAccounts.keyPrefix}${orgId}`,
  sk: accountId,
});

/** Lab accounts of organisations. */
export class LabAccountStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(orgId: string, accountId: string): Promise<LabAccount | undefined> {
    return this.#table.get(labAccountKey(orgId, accountId), labAccountRecord);
  }

  list(orgId: string): Promise<LabAccount[]> {
    const input = {
      KeyConditionExpression: "pk = :org",
      ExpressionAttributeValues: { ":org": `${labAccounts.keyPrefix}${orgId}` },
    };
    return Array.fromAsync(this.#table.queryAll(input, labAccountRecord));
  }

  /** Builds the write of a new account. It fails if the organisation has an account with this id. */
  createItem(orgId: string, account: LabAccount): WriteItem {
    const Item = { ...labAccountKey(orgId, account.id), ...account, org_id: orgId };
    return { Put: { TableName: this.#table.name, Item, ConditionExpression: NOT_EXISTS } };
  }

  /**
   * Updates an account.
   * @returns the updated account.
   * @throws ConditionFailed if the organisation has none with this id.
   */
  async update(orgId: string, accountId: string, changes: Partial<LabAccount>): Promise<LabAccount> {
    const change = { ...setExpression(changes), ConditionExpression: "attribute_exists(pk)" };
    return labAccountRecord.parse(await this.#table.update(labAccountKey(orgId, accountId), change));
  }
}
