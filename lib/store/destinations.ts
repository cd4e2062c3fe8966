import { destinations } from "../contract/resources.ts";
import { type TeamDestination, teamDestination } from "../events/team-destination.ts";
import type { Key, Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";

const destinationKey = ({ teamId }: TeamScope): Key => ({
  pk: `${destinations.keyPrefix}${teamId}`,
  sk: "destination",
});

/** Where teams have their events sent besides their webhook endpoints. */
export class DestinationStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope): Promise<TeamDestination | undefined> {
    return this.#table.get(destinationKey(scope), teamDestination);
  }

  /** Those of the teams' destinations that there are, in no order. */
  getMany(scopes: readonly TeamScope[]): Promise<TeamDestination[]> {
    return this.#table.getMany(scopes.map(destinationKey), teamDestination);
  }

  /** Sets a team's destination in place of the one it may have. */
  set(scope: TeamScope, destination: TeamDestination): Promise<void> {
    return this.#table.put({ ...destinationKey(scope), ...destination });
  }

  /** @throws ConditionFailed when the team has none. */
  remove(scope: TeamScope): Promise<void> {
    return this.#table.remove(destinationKey(scope), { ConditionExpression: "attribute_exists(pk)" });
  }
}
