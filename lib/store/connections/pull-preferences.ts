import { pullPreferences } from "../../contract/resources.ts";
import { type PullPreferences, pullPreferencesRecord } from "../../domain/connections/pulls/pull-preferences.ts";
import type { Key } from "../item.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

const preferencesKey = ({ teamId }: TeamScope): Key => ({
  pk: `${pullPreferences.keyPrefix}${teamId}`,
  sk: "preferences",
});

/** Pull preferences of teams: how much history is pulled for their users. */
export class PullPreferenceStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope): Promise<PullPreferences | undefined> {
    return this.#table.get(preferencesKey(scope), pullPreferencesRecord);
  }

  /** Returns the preferences that exist, in no order. */
  getMany(scopes: readonly TeamScope[]): Promise<PullPreferences[]> {
    return this.#table.getMany(scopes.map(preferencesKey), pullPreferencesRecord);
  }

  /** Creates or replaces a team's preferences. */
  put(scope: TeamScope, preferences: PullPreferences): Promise<void> {
    return this.#table.put({ ...preferencesKey(scope), ...preferences });
  }

  /** @throws ConditionFailed if the team has none. */
  delete(scope: TeamScope): Promise<void> {
    return this.#table.delete(preferencesKey(scope), { ConditionExpression: "attribute_exists(pk)" });
  }
}
