import { orgs } from "../../contract/resources.ts";
import { type Org, orgRecord } from "../../domain/management/records.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, setExpression, type Table } from "../table.ts";

const orgKey = (orgId: string): Key => ({ pk: `${orgs.keyPrefix}${orgId}`, sk: "org" });

/** Organisations. */
export class OrgStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(orgId: string): Promise<Org | undefined> {
    return this.#table.get(orgKey(orgId), orgRecord);
  }

  /** @throws ConditionFailed if the id exists. */
  create(org: Org): Promise<void> {
    return this.#table.put({ ...orgKey(org.org_id), ...org }, { ConditionExpression: NOT_EXISTS });
  }

  /**
   * Renames an organisation.
   * @returns the updated organisation.
   * @throws ConditionFailed if it does not exist.
   */
  async rename(orgId: string, name: string): Promise<Org> {
    const change = { ...setExpression({ name }), ConditionExpression: "attribute_exists(pk)" };
    return orgRecord.parse(await this.#table.update(orgKey(orgId), change));
  }
}
