import { payors } from "../../contract/resources.ts";
import { type Payor, payorRecord } from "../../domain/insurance/payor.ts";
import { unlessConditionFailed } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

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
  async putIfAbsent(scope: TeamScope, payor: Payor): Promise<void> {
    const item = { ...payorKey(scope, payor.payor_code), ...payor };
    await unlessConditionFailed(this.#table.put(item, { ConditionExpression: NOT_EXISTS }));
  }

  async list(scope: TeamScope): Promise<Payor[]> {
    const found: Payor[] = [];
    const input = { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": partition(scope) } };
    for await (const payor of this.#table.queryAll(input, payorRecord)) found.push(payor);
    return found;
  }
}
