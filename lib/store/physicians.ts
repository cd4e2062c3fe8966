import type * as z from "zod";
import { physicians } from "../contract/resources.ts";
import { physician } from "../domain/orders/wire-order.ts";
import type { Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";

/** A physician as orders name them. */
export type Physician = z.output<typeof physician>;

const partition = (scope: TeamScope) => `${physicians.keyPrefix}${scope.teamId}`;

/** The physicians who have ordered for a team, each once by their NPI. */
export class PhysicianStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Notes a physician, under the name that was given last. */
  note(scope: TeamScope, { first_name, last_name, npi }: Physician): Promise<void> {
    return this.#table.put({ pk: partition(scope), sk: npi, first_name, last_name, npi });
  }

  /** All of them, by NPI. */
  list(scope: TeamScope): Promise<Physician[]> {
    const input = { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": partition(scope) } };
    return Array.fromAsync(this.#table.all(input, physician));
  }
}
