import { consents } from "../../contract/resources.ts";
import { type Consent, consent } from "../../domain/connections/consents/consent.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

const partition = (scope: TeamScope, userId: string) => `${consents.keyPrefix}${scope.teamId}#${userId}`;
const consentKey = (scope: TeamScope, userId: string, consentId: string): Key => ({
  pk: partition(scope, userId),
  sk: consentId,
});

/** Consents of users, one for each connection through a link. */
export class ConsentStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, userId: string, consentId: string): Promise<Consent | undefined> {
    return this.#table.get(consentKey(scope, userId, consentId), consent);
  }

  /** Returns consents of a user, the newest first. @param before id of the last consent of the previous page. */
  async list(scope: TeamScope, userId: string, limit: number, before?: string): Promise<Consent[]> {
    const { items } = await this.#table.query(
      {
        KeyConditionExpression: `pk = :pk${before === undefined ? "" : " AND sk < :before"}`,
        ExpressionAttributeValues: { ":pk": partition(scope, userId), ...(before ? { ":before": before } : {}) },
        ScanIndexForward: false,
        Limit: limit,
      },
      consent,
    );
    return items;
  }

  /** Builds the write of a new consent. It fails if the consent exists. */
  createItem(scope: TeamScope, userId: string, given: Consent): WriteItem {
    const Item = { ...consentKey(scope, userId, given.consent_id), ...given };
    return { Put: { TableName: this.#table.name, Item, ConditionExpression: NOT_EXISTS } };
  }

  /** Builds the write of the end of a consent. It fails if the consent has ended. */
  endItem(scope: TeamScope, userId: string, ended: Consent): WriteItem {
    return {
      Put: {
        TableName: this.#table.name,
        Item: { ...consentKey(scope, userId, ended.consent_id), ...ended },
        ConditionExpression: "#state = :given",
        ExpressionAttributeNames: { "#state": "state" },
        ExpressionAttributeValues: { ":given": "given" },
      },
    };
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.deletePartition(partition(scope, userId));
  }
}
