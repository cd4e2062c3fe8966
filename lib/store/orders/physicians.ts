import type * as z from "zod";
import { physicians } from "../../contract/resources.ts";
import { wirePhysician } from "../../domain/orders/wire-order.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

/** A physician in an order. */
export type Physician = z.output<typeof wirePhysician>;

const partition = (scope: TeamScope) => `${physicians.keyPrefix}${scope.teamId}`;

/** Physicians who have ordered for a team, one for each NPI. */
export class PhysicianStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Stores a physician. The latest name replaces an earlier one. */
  put(scope: TeamScope, { first_name, last_name, npi }: Physician): Promise<void> {
    return this.#table.put({ pk: partition(scope), sk: npi, first_name, last_name, npi });
  }

  /** Returns all physicians of the team, by NPI. */
  list(scope: TeamScope): Promise<Physician[]> {
    const input = { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": partition(scope) } };
    return Array.fromAsync(this.#table.queryAll(input, wirePhysician));
  }
}
