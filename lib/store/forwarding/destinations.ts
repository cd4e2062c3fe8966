import { destinations } from "../../contract/resources.ts";
import { type TeamDestination, teamDestination } from "../../events/forwarding/team-destination.ts";
import type { Key } from "../item.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

const destinationKey = ({ teamId }: TeamScope): Key => ({
  pk: `${destinations.keyPrefix}${teamId}`,
  sk: "destination",
});

/** Destinations of teams' events besides their webhook endpoints. */
export class DestinationStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope): Promise<TeamDestination | undefined> {
    return this.#table.get(destinationKey(scope), teamDestination);
  }

  /** Returns the destinations that exist, in no order. */
  getMany(scopes: readonly TeamScope[]): Promise<TeamDestination[]> {
    return this.#table.getMany(scopes.map(destinationKey), teamDestination);
  }

  /** Creates or replaces a team's destination. */
  put(scope: TeamScope, destination: TeamDestination): Promise<void> {
    return this.#table.put({ ...destinationKey(scope), ...destination });
  }

  /** @throws ConditionFailed if the team has no destination. */
  delete(scope: TeamScope): Promise<void> {
    return this.#table.delete(destinationKey(scope), { ConditionExpression: "attribute_exists(pk)" });
  }
}
