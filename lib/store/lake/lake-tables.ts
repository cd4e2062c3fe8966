import * as z from "zod";
import { lakeTables } from "../../contract/resources.ts";
import { type LakePointer, type LakeSettings, lakePointer, lakeSettings } from "../../domain/lake/lake-settings.ts";
import { type LakeTableName, lakeTableNames } from "../../domain/lake/lake-tables.ts";
import { type DueItems, findDueItems } from "../due-index.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

const key = ({ teamId }: TeamScope, sk: string): Key => ({ pk: `${lakeTables.keyPrefix}${teamId}`, sk });
const pointerKey = (scope: TeamScope, name: LakeTableName) => key(scope, `table#${name}`);
/** The index partition of tables whose maintenance is due. */
const MAINTENANCE_SHARD = `${lakeTables.keyPrefix}due`;

const duePointer = lakePointer.extend({ team_id: z.string() });

/** Settings of teams' lakes and the pointers to their tables. A pointer is the only mutable part of a table. */
export class LakeTableStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  getSettings(scope: TeamScope): Promise<LakeSettings | undefined> {
    return this.#table.get(key(scope, "settings"), lakeSettings);
  }

  putSettings(scope: TeamScope, settings: LakeSettings): Promise<void> {
    return this.#table.put({ ...key(scope, "settings"), ...settings });
  }

  getPointer(scope: TeamScope, name: LakeTableName): Promise<LakePointer | undefined> {
    return this.#table.get(pointerKey(scope, name), lakePointer);
  }

  /** Returns the pointers of a team's tables that exist, by name. */
  async listPointers(scope: TeamScope): Promise<LakePointer[]> {
    const found = await this.#table.getMany(
      lakeTableNames.map((name) => pointerKey(scope, name)),
      lakePointer,
    );
    return found.sort((a, b) => a.name.localeCompare(b.name));
  }

  /** Builds the write that moves a pointer, if no other commit moved it since it was read. */
  moveItem(scope: TeamScope, before: LakePointer | undefined, next: LakePointer): WriteItem {
    const due = { due_shard: MAINTENANCE_SHARD, team_id: scope.teamId };
    const unchanged = before
      ? { ConditionExpression: "version = :before", ExpressionAttributeValues: { ":before": before.version } }
      : { ConditionExpression: NOT_EXISTS };
    return {
      Put: { TableName: this.#table.name, Item: { ...pointerKey(scope, next.name), ...next, ...due }, ...unchanged },
    };
  }

  /** Finds tables whose maintenance is due. @param now ISO 8601. */
  listDue(now: string): Promise<DueItems<LakePointer & { readonly team_id: string }>> {
    const search = { partitions: [MAINTENANCE_SHARD], schema: duePointer, limit: MAX_DUE };
    return findDueItems(this.#table, { ...search, dueAt: ({ due_at }) => due_at }, now);
  }
}

/** Maximum number of tables that one run maintains. */
const MAX_DUE = 100;
