import * as z from "zod";
import { sourcePriorities } from "../../contract/resources.ts";
import {
  type SourcePrioritiesRecord,
  sourcePrioritiesRecord,
} from "../../domain/connections/sources/source-priorities.ts";
import type { Key } from "../item.ts";
import { putNextVersion } from "../put-next-version.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

const prioritiesKey = ({ teamId }: TeamScope): Key => ({
  pk: `${sourcePriorities.keyPrefix}${teamId}`,
  sk: "priorities",
});
const item = z.object({ priorities: sourcePrioritiesRecord, version: z.number().int() });

/** A team's priorities and their version. */
export type StoredPriorities = z.output<typeof item>;

/** Priorities of teams among the providers of their users' data. */
export class SourcePriorityStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async get(scope: TeamScope): Promise<StoredPriorities> {
    return (await this.#table.get(prioritiesKey(scope), item)) ?? { priorities: {}, version: 0 };
  }

  /** Replaces the priorities that were read. @throws ConditionFailed if they have changed. */
  replace(scope: TeamScope, priorities: SourcePrioritiesRecord, { version }: StoredPriorities): Promise<void> {
    return putNextVersion(this.#table, { ...prioritiesKey(scope), priorities }, version);
  }
}
