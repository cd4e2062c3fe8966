import * as z from "zod";
import { teams } from "../../contract/resources.ts";
import { type NewTeam, type Team, teamRecord } from "../../domain/management/records.ts";
import { type DueItems, findDueItems } from "../due-index.ts";
import type { Key } from "../item.ts";
import type { ReadItem } from "../read-item.ts";
import { NOT_EXISTS, type Page, type Table } from "../table.ts";
import type { WriteItem } from "../transaction.ts";

const teamKey = (teamId: string): Key => ({ pk: `${teams.keyPrefix}${teamId}`, sk: "team" });
const listKey = (team: Pick<Team, "org_id" | "created_on" | "team_id">): Key => ({
  pk: `${teams.keyPrefix}of#${team.org_id}`,
  sk: `${team.created_on}#${team.team_id}`,
});
const integrationKey = (orgId: string, integrationTeamId: string): Key => ({
  pk: `${teams.keyPrefix}integration#${orgId}#${integrationTeamId}`,
  sk: "integration",
});

/** Index partition of unfinished team deletions. */
export const TEAM_DELETION_SHARD = `${teams.keyPrefix}deletions`;

/**
 * Teams. Each has an entry in the list of its organisation and, if the organisation assigned an integration id, a
 * reservation of that id. Reads return active teams only.
 */
export class TeamStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns the active team with this id. A deleted team is not active. */
  async get(teamId: string): Promise<Team | undefined> {
    const team = await this.getAnyState(teamId);
    return team?.lifecycle === "active" ? team : undefined;
  }

  /** Returns a read for a batch of reads: whether the team is active. */
  readActiveItem(teamId: string): ReadItem<boolean> {
    const reading = this.#table.readItem(teamKey(teamId), teamRecord.pick({ lifecycle: true }));
    return { ...reading, parse: (items) => reading.parse(items)?.lifecycle === "active" };
  }

  /** Returns the team in any state. Only deletion and undo use this method. */
  getAnyState(teamId: string): Promise<Team | undefined> {
    return this.#table.get(teamKey(teamId), teamRecord);
  }

  /** Returns the id of the organisation's team with this integration id. */
  async findIdByIntegrationId(orgId: string, integrationTeamId: string): Promise<string | undefined> {
    const held = z.object({ team_id: z.string() });
    return (await this.#table.get(integrationKey(orgId, integrationTeamId), held))?.team_id;
  }

  /** Builds the writes of a new team: the team, its list entry, and its integration id last. */
  createItems(given: NewTeam): WriteItem[] {
    const team = teamRecord.parse(given);
    const first = (Item: Key) => ({ Put: { TableName: this.#table.name, Item, ConditionExpression: NOT_EXISTS } });
    return [
      first({ ...teamKey(team.team_id), ...team }),
      first({ ...listKey(team), ...team }),
      ...this.#takeItems(team),
    ];
  }

  /**
   * Builds the writes that update an active team from the version that was read. A changed integration id is reserved,
   * and the old one released.
   */
  updateItems(before: Team, after: Team): WriteItem[] {
    const isMoved = before.integration_team_id !== after.integration_team_id;
    return [
      this.#replaceItem(before, after),
      { Put: { TableName: this.#table.name, Item: { ...listKey(after), ...after } } },
      ...(isMoved ? [...this.#takeItems(after), ...this.#freeItems(before)] : []),
    ];
  }

  /** active -> pending_erasure: removes the list entry and releases the integration id. */
  requestErasureItems(before: Team, erase_at: string): WriteItem[] {
    const pending = { ...before, lifecycle: "pending_erasure", erase_at } as const;
    const due = { due_shard: TEAM_DELETION_SHARD, due_at: erase_at };
    return [this.#replaceItem(before, pending, due), this.#unlistItem(before), ...this.#freeItems(before)];
  }

  /** pending_erasure -> active, with its integration id if that id is still free. */
  restoreItems(before: Team): WriteItem[] {
    const { erase_at: _, ...rest } = before;
    const active = { ...rest, lifecycle: "active" } as const;
    return [
      this.#replaceItem(before, active),
      { Put: { TableName: this.#table.name, Item: { ...listKey(active), ...active } } },
      ...this.#takeItems(active),
    ];
  }

  /** pending_erasure -> erasing: the point of no return. The team stays due until it is erased. */
  startErasureItem(before: Team): WriteItem {
    const due = { due_shard: TEAM_DELETION_SHARD, due_at: before.erase_at };
    return this.#replaceItem(before, { ...before, lifecycle: "erasing" }, due);
  }

  /** Deletes the record of a team whose data is erased; the last step. */
  async deleteErased(teamId: string): Promise<void> {
    await this.#table.delete(teamKey(teamId), {
      ConditionExpression: "attribute_not_exists(pk) OR lifecycle = :erasing",
      ExpressionAttributeValues: { ":erasing": "erasing" },
    });
  }

  /**
   * Returns deletions whose grace period ended before `now`, and the next end of a grace period.
   * @param now ISO 8601.
   */
  listDueDeletions(now: string): Promise<DueItems<Team>> {
    const dueAt = ({ erase_at = "" }: Team) => erase_at;
    return findDueItems(this.#table, { partitions: [TEAM_DELETION_SHARD], schema: teamRecord, dueAt }, now);
  }

  /** Returns teams of an organisation in order of creation, after a position. */
  list(orgId: string, after: string | undefined, limit: number): Promise<Page<Team & { sk: string }>> {
    return this.#table.query(
      {
        KeyConditionExpression: after === undefined ? "pk = :org" : "pk = :org AND sk > :after",
        ExpressionAttributeValues: {
          ":org": `${teams.keyPrefix}of#${orgId}`,
          ...(after === undefined ? {} : { ":after": after }),
        },
        Limit: limit,
      },
      teamRecord.extend({ sk: z.string() }),
    );
  }

  #replaceItem(before: Team, after: Team, due: { due_shard?: string; due_at?: string | undefined } = {}): WriteItem {
    return {
      Put: {
        TableName: this.#table.name,
        Item: { ...teamKey(after.team_id), ...after, ...due, version: before.version + 1 },
        ConditionExpression: "#version = :version AND lifecycle = :lifecycle",
        ExpressionAttributeNames: { "#version": "version" },
        ExpressionAttributeValues: { ":version": before.version, ":lifecycle": before.lifecycle },
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      },
    };
  }

  #unlistItem(team: Team): WriteItem {
    return { Delete: { TableName: this.#table.name, Key: listKey(team) } };
  }

  #takeItems({ org_id, team_id, integration_team_id }: Team): WriteItem[] {
    if (integration_team_id === null) return [];
    const Item = { ...integrationKey(org_id, integration_team_id), team_id };
    const condition = { ConditionExpression: NOT_EXISTS, ReturnValuesOnConditionCheckFailure: "ALL_OLD" } as const;
    return [{ Put: { TableName: this.#table.name, Item, ...condition } }];
  }

  #freeItems({ org_id, team_id, integration_team_id }: Team): WriteItem[] {
    if (integration_team_id === null) return [];
    return [
      {
        Delete: {
          TableName: this.#table.name,
          Key: integrationKey(org_id, integration_team_id),
          ConditionExpression: "team_id = :team",
          ExpressionAttributeValues: { ":team": team_id },
        },
      },
    ];
  }
}
