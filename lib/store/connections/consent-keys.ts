import { consentKeys } from "../../contract/resources.ts";
import { type ConsentKey, consentKey } from "../../domain/connections/consents/consent.ts";
import { ConditionFailed } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

const keyOf = ({ teamId }: TeamScope): Key => ({ pk: `${consentKeys.keyPrefix}${teamId}`, sk: "key" });

/** Keys with which teams sign consent receipts, one for each team. */
export class ConsentKeyStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope): Promise<ConsentKey | undefined> {
    return this.#table.get(keyOf(scope), consentKey);
  }

  /** Creates the key of a team, unless it exists. @returns the stored key. */
  async create(scope: TeamScope, key: ConsentKey): Promise<ConsentKey> {
    try {
      await this.#table.put({ ...keyOf(scope), ...key }, { ConditionExpression: NOT_EXISTS });
      return key;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      return (await this.get(scope)) ?? Promise.reject(error);
    }
  }
}
