import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { directoryTable, erasureTable, eventTable } from "../../../lib/contract/resources.ts";
import { userDigest, zeroConsentCounts } from "../../../lib/domain/erasure/erasure-certificate.ts";
import { newUser, type UserRecord } from "../../../lib/domain/users/user.ts";
import { ConditionFailed } from "../../../lib/store/condition-failed.ts";
import { ErasureStore } from "../../../lib/store/erasure/erasures.ts";
import { eraseEvents } from "../../../lib/store/events/erase-events.ts";
import type { ErasableItem } from "../../../lib/store/events/outbox-items.ts";
import { Table } from "../../../lib/store/table.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { commit, type WriteItem } from "../../../lib/store/transaction.ts";
import { UserStore } from "../../../lib/store/users/users.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";

const REQUESTED = "2026-05-01T08:00:00.000Z";
const ENDS = "2026-05-08T08:00:00.000Z";
const BEFORE = "2026-05-08T07:59:59.999Z";
const rawItem = z.record(z.string(), z.unknown());
const scope = TeamScope.grant("t");

let dynamodb: TestDynamodb;
beforeAll(async () => {
  dynamodb = await startDynamodb();
});
afterAll(() => dynamodb.stop());

const tableOf = ({ name }: { name: string }) => new Table(dynamodb.documents, name);
const write = (...items: WriteItem[]) => commit(dynamodb.documents, items);

describe("a user under erasure", () => {
  let users: UserStore;
  let run = 0;
  let user: UserRecord;
  beforeEach(async () => {
    users = new UserStore(tableOf(directoryTable));
    run += 1;
    user = await made(`u${run}`);
  });

  const made = async (userId: string) => {
    const created = newUser({ client_user_id: userId }, { userId, teamId: "t" }, REQUESTED);
    await write(users.createItem(scope, created));
    return created;
  };
  const pend = (about: UserRecord = user, erase_at = ENDS) =>
    write(
      users.requestErasureItem(scope, {
        ...about,
        deletion_id: `d-${about.user_id}`,
        deletion_requested_at: REQUESTED,
        erase_at,
      }),
    );
  const begin = (now: string, deletionId = `d-${user.user_id}`) =>
    write(users.startErasureItem(scope, user.user_id, deletionId, now));
  const end = () => write(users.deleteErasedItem(scope, user.user_id));
  const stateOf = async (userId: string) => (await users.getAnyState(scope, userId))?.lifecycle;
  const dueIds = async (now: string) => (await users.listDueDeletions(now)).due.map(({ user_id }) => user_id);

  test("starts erasure at the end of the grace period, and not before", async () => {
    await pend();
    await expect(begin(BEFORE)).rejects.toThrow(ConditionFailed);
    expect(await stateOf(user.user_id)).toBe("pending_erasure");
    await begin(ENDS);
    expect(await stateOf(user.user_id)).toBe("erasing");
    await end();
    expect(await stateOf(user.user_id)).toBeUndefined();
  });

  test("starts erasure only for its current deletion", async () => {
    await expect(begin(ENDS)).rejects.toThrow(ConditionFailed);
    await pend();
    await expect(begin(ENDS, "another")).rejects.toThrow(ConditionFailed);
    const pending = (await users.getAnyState(scope, user.user_id)) as UserRecord;
    await write(users.restoreItem(scope, pending, BEFORE));
    await expect(begin(ENDS)).rejects.toThrow(ConditionFailed);
    expect(await stateOf(user.user_id)).toBe("active");
  });

  test("is removed only while it is being erased, and the removal is idempotent", async () => {
    await expect(end()).rejects.toThrow(ConditionFailed);
    await pend();
    await expect(end()).rejects.toThrow(ConditionFailed);
    await begin(ENDS);
    await end();
    await end();
  });

  test("counts as being erased in its own team until it is removed", async () => {
    expect(await users.hasErasingUsers(scope)).toBe(false);
    await pend();
    expect(await users.hasErasingUsers(scope)).toBe(false);
    await begin(ENDS);
    expect([await users.hasErasingUsers(scope), await users.hasErasingUsers(TeamScope.grant("other"))]).toEqual([
      true,
      false,
    ]);
    await end();
    expect(await users.hasErasingUsers(scope)).toBe(false);
  });

  test("is erased again from the state in which it was read, without its connections", async () => {
    const again = users.restartErasureItem(scope, user);
    await pend();
    await expect(write(again)).rejects.toThrow(ConditionFailed);
    const pending = (await users.getAnyState(scope, user.user_id)) as UserRecord;
    await write(users.restartErasureItem(scope, pending));
    expect(await stateOf(user.user_id)).toBe("erasing");
    expect(await dueIds(ENDS)).not.toContain(user.user_id);
    const connection = { state: "connected", created_on: REQUESTED } as never;
    const other = await made(`v${run}`);
    await write(users.putConnectionItem(scope, other.user_id, "oura", connection));
    expect(await users.listIds(scope)).toContain(other.user_id);
    await write(users.restartErasureItem(scope, other));
    const raw = await tableOf(directoryTable).query(
      {
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": `user#t#${other.user_id}` },
      },
      rawItem,
    );
    expect(raw.items).toMatchObject([{ lifecycle: "erasing", connections: {} }]);
    expect(await users.listIds(scope)).not.toContain(other.user_id);
  });

  test("is due from the end of its grace period, ordered by that end", async () => {
    expect((await users.listDueDeletions(REQUESTED)).due).toEqual([]);
    const [late, soon] = [await made(`w${run}`), await made(`x${run}`)];
    await pend(late, "2026-06-02T00:00:00.000Z");
    await pend(soon, "2026-06-01T00:00:00.000Z");
    const ofThese = async (now: string) =>
      (await dueIds(now)).filter((id) => [late.user_id, soon.user_id].includes(id));
    expect(await ofThese("2026-05-31T00:00:00.000Z")).toEqual([]);
    expect((await users.listDueDeletions("2026-05-31T00:00:00.000Z")).nextDueAt).toBe("2026-06-01T00:00:00.000Z");
    expect(await ofThese("2026-06-01T00:00:00.000Z")).toEqual([soon.user_id]);
    expect(await ofThese("2026-06-02T00:00:00.000Z")).toEqual([soon.user_id, late.user_id]);
    expect((await users.listDueDeletions("2026-06-02T00:00:00.000Z")).nextDueAt).toBeUndefined();
  });
});

describe("the certificate of an erasure", () => {
  const record = { deletion_id: "d", requested_at: REQUESTED, stores: { chunks: 1 }, consents: zeroConsentCounts };
  const recorded = { ...record, order_ids: ["o1"] };
  let erasures: ErasureStore;
  beforeAll(() => {
    erasures = new ErasureStore(tableOf(erasureTable));
  });

  test("is recorded once, under a digest of the user's id in its team", async () => {
    expect(await erasures.start(scope, "u1", recorded)).toEqual(recorded);
    expect(await erasures.start(scope, "u1", { ...recorded, deletion_id: "later" })).toEqual(recorded);
    expect(await erasures.get(scope, "U1")).toEqual(recorded);
    expect(await erasures.get(TeamScope.grant("other"), "u1")).toBeUndefined();
    expect(userDigest("t", "u1")).toMatch(/^[0-9a-f]{64}$/);
  });

  test("keeps its first end and drops the ids of orders", async () => {
    await erasures.start(scope, "u2", recorded);
    const first = { erased_at: ENDS, scan: { places: 3, found: 0 } };
    await write(erasures.completeItem(scope, "u2", first));
    await write(
      erasures.completeItem(scope, "u2", { erased_at: "2026-06-01T00:00:00.000Z", scan: { places: 9, found: 9 } }),
    );
    expect(await erasures.get(scope, "u2")).toEqual({ ...record, ...first });
  });

  test("gets no end without a start", async () => {
    const end = erasures.completeItem(scope, "u3", { erased_at: ENDS, scan: { places: 3, found: 0 } });
    await expect(write(end)).rejects.toThrow(ConditionFailed);
    expect(await erasures.get(scope, "u3")).toBeUndefined();
  });

  test("reports a failed write as an error, not as an existing certificate", async () => {
    const table = tableOf(erasureTable);
    const broken = new Error("the table is away");
    vi.spyOn(table, "put").mockRejectedValue(broken);
    await expect(new ErasureStore(table).start(scope, "u4", recorded)).rejects.toBe(broken);
  });
});

describe("the erasure of events", () => {
  let table: Table;
  let partition: string;
  let run = 0;
  beforeEach(() => {
    table = tableOf(eventTable);
    run += 1;
    partition = `event#t#e${run}`;
  });
  const add = (sk: string, sequence?: number) =>
    table.put({ pk: partition, sk, ...(sequence === undefined ? {} : { sequence }) });
  const sequencesOf = (events: readonly ErasableItem[]) => events.map(({ sequence }) => sequence);

  test("clears feed entries before it deletes, and leaves other partitions alone", async () => {
    await table.put({ pk: `${partition}0`, sk: "kept" });
    for (const [sk, sequence] of [["a", 1], ["b", 2], ["c", 0], ["d"]] as const) await add(sk, sequence);
    const forgotten: unknown[] = [];
    const erased = await eraseEvents(table, partition, async (events) => {
      expect(await table.countPartition(partition)).toBe(4);
      forgotten.push(sequencesOf(events));
    });
    expect([erased, forgotten]).toEqual([4, [[1, 2, 0, undefined]]]);
    expect([await table.countPartition(partition), await table.countPartition(`${partition}0`)]).toEqual([0, 1]);
  });

  test("clears nothing when the partition is empty", async () => {
    const forget = vi.fn(async () => {});
    expect(await eraseEvents(table, partition, forget)).toBe(0);
    expect(forget).not.toHaveBeenCalled();
  });

  test("scans again for an event that enters the feed meanwhile, and counts it once", async () => {
    await add("a");
    await add("b", 0);
    const forgotten: unknown[] = [];
    const erased = await eraseEvents(table, partition, async (events) => {
      if (forgotten.push(sequencesOf(events)) > 1) return;
      await add("a", 1);
      await add("b", 2);
    });
    expect([erased, forgotten]).toEqual([
      2,
      [
        [undefined, 0],
        [1, 2],
      ],
    ]);
  });

  test("deletes 25 items concurrently", async () => {
    for (let number = 0; number < 51; number += 1) await add(String(number));
    let [running, most] = [0, 0];
    const remove = table.delete.bind(table);
    vi.spyOn(table, "delete").mockImplementation(async (...write) => {
      running += 1;
      most = Math.max(most, running);
      await remove(...write);
      running -= 1;
    });
    expect(await eraseEvents(table, partition, async () => {})).toBe(51);
    expect(most).toBe(25);
  });

  test("fails when the table is unavailable", async () => {
    await add("a");
    const broken = new Error("the table is away");
    vi.spyOn(table, "delete").mockRejectedValue(broken);
    await expect(eraseEvents(table, partition, async () => {})).rejects.toBe(broken);
  });
});
