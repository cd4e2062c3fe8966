import { pullPreferences } from "../contract/resources.ts";
import { type PullPreferences, pullPreferencesRecord } from "../domain/sources/pull-preferences.ts";
import type { Key, Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";

const preferencesKey = ({ teamId }: TeamScope): Key => ({
  pk: `${pullPreferences.keyPrefix}${teamId}`,
  sk: "preferences",
});

/** How much history is pulled for the users of each team. */
export class PullPreferenceStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope): Promise<PullPreferences | undefined> {
    return this.#table.get(preferencesKey(scope), pullPreferencesRecord);
  }

  /** Those of the teams' preferences that there are, in no order. */
  getMany(scopes: readonly TeamScope[]): Promise<PullPreferences[]> {
    return this.#table.getMany(scopes.map(preferencesKey), pullPreferencesRecord);
  }

  /** Sets a team's preferences in place of those it may have. */
  set(scope: TeamScope, preferences: PullPreferences): Promise<void> {
    return this.#table.put({ ...preferencesKey(scope), ...preferences });
  }

  /** @throws ConditionFailed when the team has none. */
  remove(scope: TeamScope): Promise<void> {
    return this.#table.remove(preferencesKey(scope), { ConditionExpression: "attribute_exists(pk)" });
  }
}
