import * as z from "zod";
import { scopeRequirements } from "../contract/resources.ts";
import { type ScopeRequirements, scopeRequirementsRecord } from "../domain/sources/scope-requirements.ts";
import { isNew, type Key, type Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";

const requirementsKey = ({ teamId }: TeamScope): Key => ({
  pk: `${scopeRequirements.keyPrefix}${teamId}`,
  sk: "requirements",
});
const item = z.object({ providers: scopeRequirementsRecord, version: z.number().int() });

/** A team's requirements and their version. */
export type StoredRequirements = z.output<typeof item>;

/** Provider scopes that teams require of their users. */
export class ScopeRequirementStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async get(scope: TeamScope): Promise<StoredRequirements> {
    return (await this.#table.get(requirementsKey(scope), item)) ?? { providers: {}, version: 0 };
  }

  /** Replaces the requirements that were read. @throws ConditionFailed if they have changed. */
  set(scope: TeamScope, providers: ScopeRequirements, { version }: StoredRequirements): Promise<void> {
    const changed = { ...requirementsKey(scope), providers, version: version + 1 };
    if (version === 0) return this.#table.put(changed, { ConditionExpression: isNew });
    return this.#table.put(changed, {
      ConditionExpression: "#version = :version",
      ExpressionAttributeNames: { "#version": "version" },
      ExpressionAttributeValues: { ":version": version },
    });
  }
}
