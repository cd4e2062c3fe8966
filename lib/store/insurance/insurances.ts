import { insurances } from "../../contract/resources.ts";
import { type Insurance, wireInsurance } from "../../domain/insurance/insurance.ts";
import { NOT_EXISTS, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

const partition = (scope: TeamScope, userId: string) => `${insurances.keyPrefix}${scope.teamId}#${userId}`;
/** Sort key prefix: primary insurances apart from others, each in order of creation. */
const kindOf = (isPrimary: boolean) => (isPrimary ? "primary#" : "other#");

/** Insurances of users. A new insurance never replaces an earlier one. */
export class InsuranceStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  createItem(scope: TeamScope, userId: string, insurance: Insurance): WriteItem {
    const sk = `${kindOf(insurance.is_primary)}${insurance.created_at}#${insurance.id}`;
    const Item = { pk: partition(scope, userId), sk, ...insurance };
    return { Put: { TableName: this.#table.name, Item, ConditionExpression: NOT_EXISTS } };
  }

  /** Returns the newest primary insurance, or the newest other one. */
  async getLatest(scope: TeamScope, userId: string, isPrimary: boolean): Promise<Insurance | undefined> {
    const input = {
      KeyConditionExpression: "pk = :pk AND begins_with(sk, :kind)",
      ExpressionAttributeValues: { ":pk": partition(scope, userId), ":kind": kindOf(isPrimary) },
      ScanIndexForward: false,
      Limit: 1,
    };
    const { items } = await this.#table.query(input, wireInsurance);
    return items[0];
  }

  /** Returns the insurance with this id. */
  async findById(scope: TeamScope, userId: string, id: string): Promise<Insurance | undefined> {
    const input = {
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": partition(scope, userId) },
    };
    const all = await Array.fromAsync(this.#table.queryAll(input, wireInsurance));
    return all.find((insurance) => insurance.id === id);
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.deletePartition(partition(scope, userId));
  }
}
