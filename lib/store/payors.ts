import { payors } from "../contract/resources.ts";
import { type Payor, payorRecord } from "../domain/insurance/payor.ts";
import { ConditionFailed } from "./condition-failed.ts";
import { isNew, type Key, type Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";

const partition = (scope: TeamScope) => `${payors.keyPrefix}${scope.teamId}`;
const payorKey = (scope: TeamScope, code: string): Key => ({ pk: partition(scope), sk: code });

/** Payors that teams have added. */
export class PayorStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, code: string): Promise<Payor | undefined> {
    return this.#table.get(payorKey(scope, code), payorRecord);
  }

  /** Adds a payor. Idempotent: a payor that exists stays as it is. */
  async add(scope: TeamScope, payor: Payor): Promise<void> {
    try {
      await this.#table.put({ ...payorKey(scope, payor.payor_code), ...payor }, { ConditionExpression: isNew });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }

  async list(scope: TeamScope): Promise<Payor[]> {
    const found: Payor[] = [];
    const input = { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": partition(scope) } };
    for await (const payor of this.#table.all(input, payorRecord)) found.push(payor);
    return found;
  }
}
