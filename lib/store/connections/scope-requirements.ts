import * as z from "zod";
import { scopeRequirements } from "../../contract/resources.ts";
import {
  type ScopeRequirements,
  scopeRequirementsRecord,
} from "../../domain/connections/providers/scope-requirements.ts";
import type { Key } from "../item.ts";
import { putNextVersion } from "../put-next-version.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

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
  replace(scope: TeamScope, providers: ScopeRequirements, { version }: StoredRequirements): Promise<void> {
    return putNextVersion(this.#table, { ...requirementsKey(scope), providers }, version);
  }
}
