import { labAccounts } from "../contract/resources.ts";
import { type LabAccount, labAccountRecord } from "../domain/lab-tests/lab-account.ts";
import { isNew, type Key, setting, type Table } from "./table.ts";

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
    return Array.fromAsync(this.#table.all(input, labAccountRecord));
  }

  /** @throws ConditionFailed when the organisation has an account with this id. */
  create(orgId: string, account: LabAccount): Promise<void> {
    const item = { ...labAccountKey(orgId, account.id), ...account, org_id: orgId };
    return this.#table.put(item, { ConditionExpression: isNew });
  }

  /** @returns the account after the change. @throws ConditionFailed when the organisation has none with this id. */
  async setTeams(orgId: string, accountId: string, team_id_allowlist: readonly string[]): Promise<LabAccount> {
    const change = { ...setting({ team_id_allowlist }), ConditionExpression: "attribute_exists(pk)" };
    return labAccountRecord.parse(await this.#table.update(labAccountKey(orgId, accountId), change));
  }
}
