import * as z from "zod";
import { quotas } from "../../contract/resources.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

/** Number of sharded counters for the users of a team. They let concurrent creations proceed without contention. */
export const USER_SHARDS = 8;

/** The counter that counts a new user, and what must hold for it. */
export interface UserPlace {
  readonly shard: number;
  /** Maximum of this counter; absent without a quota. */
  readonly max?: number;
  /** Counts of all shards that must not have changed; absent if the maximum of the one counter is enough. */
  readonly counts?: readonly number[];
}

const counter = z.object({ sk: z.string(), taken: z.int() });
const userCounter = (shard: number) => `users#${shard}`;

/** Counts limited resources. Each change belongs to the transaction that creates or deletes one. */
export class QuotaStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns the numbers of counted users by shard. */
  async countUsers({ teamId }: TeamScope): Promise<readonly number[]> {
    const pk = `${quotas.keyPrefix}${teamId}`;
    const input = {
      KeyConditionExpression: "pk = :pk AND begins_with(sk, :users)",
      ExpressionAttributeValues: { ":pk": pk, ":users": userCounter(0).slice(0, -1) },
    };
    const counts = Array.from({ length: USER_SHARDS }, () => 0);
    for await (const { sk, taken } of this.#table.queryAll(input, counter)) counts[Number(sk.split("#")[1])] = taken;
    return counts;
  }

  /** Counts one more user. The transaction fails if the counter is full, or if other counters must not change and did. */
  reserveUserItems({ teamId }: TeamScope, { shard, max, counts }: UserPlace): WriteItem[] {
    if (max === undefined) return [this.#add(teamId, userCounter(shard), 1)];
    if (!counts) return [this.#take(teamId, userCounter(shard), max)];
    return counts.map((count, of) => this.#addIfStill(teamId, userCounter(of), of === shard ? 1 : 0, count));
  }

  /** Counts one user less in the shard that counted the user. */
  releaseUserItem(scope: TeamScope, place: number): WriteItem {
    return this.#add(scope.teamId, userCounter(place), -1);
  }

  /** Counts one more team. The transaction fails if the organisation has reached its quota. */
  reserveTeamItem(orgId: string, most: number): WriteItem {
    return this.#take(`org#${orgId}`, "teams", most);
  }

  /** Counts one team less. */
  releaseTeamItem(orgId: string): WriteItem {
    return this.#add(`org#${orgId}`, "teams", -1);
  }

  /** Counts one more lab account. The transaction fails if the organisation has reached its quota. */
  reserveLabAccountItem(orgId: string, most: number): WriteItem {
    return this.#take(`org#${orgId}`, "lab_accounts", most);
  }

  #take(of: string, sk: string, most: number): WriteItem {
    const { Update } = this.#add(of, sk, 1);
    const isBelow = most > 0 ? "attribute_not_exists(pk) OR taken < :most" : "taken < :most";
    const values = { ...Update.ExpressionAttributeValues, ":most": most };
    return { Update: { ...Update, ConditionExpression: isBelow, ExpressionAttributeValues: values } };
  }

  #addIfStill(of: string, sk: string, count: number, before: number): WriteItem {
    const { Update } = this.#add(of, sk, count);
    const isSame = before === 0 ? "attribute_not_exists(pk) OR taken = :before" : "taken = :before";
    const values = { ...Update.ExpressionAttributeValues, ":before": before };
    return { Update: { ...Update, ConditionExpression: isSame, ExpressionAttributeValues: values } };
  }

  #add(of: string, sk: string, count: number) {
    const Update = {
      TableName: this.#table.name,
      Key: { pk: `${quotas.keyPrefix}${of}`, sk },
      UpdateExpression: "ADD taken :count",
      ExpressionAttributeValues: { ":count": count } as Record<string, number>,
    };
    return { Update };
  }
}
