import { remaps } from "../../contract/resources.ts";
import { REMAP_TIMEOUT_MS, type Remap, remap } from "../../domain/connections/raw-payloads/remap.ts";
import { isConditionMet } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

/** Retention of a remap after its last step. */
const KEPT_S = 30 * 86_400;

const remapKey = (scope: TeamScope, userId: string): Key => ({
  pk: `${remaps.keyPrefix}${scope.teamId}#${userId}`,
  sk: "last",
});

/** The last remap of each user. */
export class RemapStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, userId: string): Promise<Remap | undefined> {
    return this.#table.get(remapKey(scope, userId), remap);
  }

  /** Starts a remap. @returns false if the user's last one still makes progress. */
  start(scope: TeamScope, given: Remap): Promise<boolean> {
    const stopped = new Date(Date.parse(given.updated_at) - REMAP_TIMEOUT_MS).toISOString();
    return isConditionMet(
      this.#table.put(this.#item(scope, given), {
        ConditionExpression: "attribute_not_exists(pk) OR #status <> :running OR updated_at < :stopped",
        ExpressionAttributeNames: { "#status": "status" },
        ExpressionAttributeValues: { ":running": "running", ":stopped": stopped },
      }),
    );
  }

  /** Stores the next state of a remap. @returns false if another run of the step was faster. */
  advance(scope: TeamScope, before: Remap, after: Remap): Promise<boolean> {
    return isConditionMet(
      this.#table.put(this.#item(scope, after), {
        ConditionExpression: "id = :id AND step = :step",
        ExpressionAttributeValues: { ":id": before.id, ":step": before.step },
      }),
    );
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.deletePartition(remapKey(scope, userId).pk);
  }

  #item(scope: TeamScope, given: Remap) {
    const expires_at = Math.floor(Date.parse(given.updated_at) / 1000) + KEPT_S;
    return { ...remapKey(scope, given.user_id), ...given, expires_at };
  }
}
