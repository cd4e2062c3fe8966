import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { directoryTable } from "../../../lib/contract/resources.ts";
import type { Team } from "../../../lib/domain/management/records.ts";
import { createWithinUserQuota } from "../../../lib/services/usage/user-quota.ts";
import { Table } from "../../../lib/store/table.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { commit } from "../../../lib/store/transaction.ts";
import { QuotaStore, USER_SHARDS, type UserPlace } from "../../../lib/store/usage/quotas.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";

const scope = TeamScope.grant("team");
let dynamodb: TestDynamodb;
let quotas: QuotaStore;
beforeAll(async () => {
  dynamodb = await startDynamodb();
  quotas = new QuotaStore(new Table(dynamodb.documents, directoryTable.name));
});
beforeEach(() => dynamodb.clear());
afterAll(() => dynamodb.stop());

let next = 0;
/** The shard of each created user, by its place in the order of creation. */
let places: number[];
beforeEach(() => {
  [next, places] = [0, []];
});

/** Creates a user under a limit. @returns whether the quota allowed it. */
async function create(users: number | null): Promise<boolean> {
  const write = async (place: UserPlace) => {
    await commit(dynamodb.documents, quotas.reserveUserItems(scope, place));
    places.push(place.shard);
  };
  const creation = { first: next++, count: () => quotas.countUsers(scope), create: write, isRaced: () => true };
  try {
    await createWithinUserQuota({ limits: { users } } as Team, creation);
    return true;
  } catch (error) {
    if ((error as Error).name === "QuotaReached") return false;
    throw error;
  }
}
const remove = async () => commit(dynamodb.documents, [quotas.releaseUserItem(scope, places.shift() ?? 0)]);
const total = async () => (await quotas.countUsers(scope)).reduce((sum, one) => sum + one, 0);
const times = async (count: number, users: number | null) => {
  const outcomes: boolean[] = [];
  for (let made = 0; made < count; made++) outcomes.push(await create(users));
  return outcomes.filter(Boolean).length;
};

describe("the users of a team", () => {
  test("count without a limit too, and a limit that is set later stops new ones at once", async () => {
    expect([await times(10, null), await total()]).toEqual([10, 10]);
    expect([await times(8, 5), await total()]).toEqual([0, 10]);
    expect([await times(8, 12), await total()]).toEqual([2, 12]);
  });

  test("reach a raised limit and never more, whatever limits applied before", async () => {
    expect(await times(5, 5)).toBe(5);
    expect(await times(8, 3)).toBe(0);
    expect(await times(8, 8)).toBe(3);
    for (let left = 0; left < 6; left++) await remove();
    expect([await times(8, 3), await total()]).toEqual([1, 3]);
  });

  test("may be none", async () => {
    expect(await times(3, 0)).toBe(0);
  });
});

test("many creations at once fill a limit exactly, although some shards have more than their share", async () => {
  await times(2 * USER_SHARDS, null);
  // Two shards keep two users each, which is more than the share of the second one.
  const kept = new Set([0, 1, USER_SHARDS, USER_SHARDS + 1]);
  const leaving = places.filter((_, made) => !kept.has(made));
  for (const shard of leaving) await commit(dynamodb.documents, [quotas.releaseUserItem(scope, shard)]);
  expect(await total()).toBe(4);
  const limit = 9;
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, () => create(limit).catch((error: Error) => error.name)),
  );
  expect(await total()).toBe(4 + outcomes.filter((outcome) => outcome === true).length);
  expect(await total()).toBeLessThanOrEqual(limit);
  await times(12, limit);
  expect(await total()).toBe(limit);
});
