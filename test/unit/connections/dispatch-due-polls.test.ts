// @module-tag share
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connectionPolls, directoryTable } from "../../../lib/contract/resources.ts";
import {
  type ConnectionPollRef,
  claimPoll,
  isPollDue,
  newConnectionPoll,
} from "../../../lib/domain/connections/pulls/connection-poll.ts";
import { inParallel } from "../../../lib/runtime/in-parallel.ts";
import { isoNow, setPorts } from "../../../lib/runtime/ports.ts";
import { dispatchDuePolls, RESEND_MS } from "../../../lib/services/connections/pulls/dispatch-due-polls.ts";
import { ConnectionPollStore } from "../../../lib/store/connections/connection-polls.ts";
import { Table } from "../../../lib/store/table.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { chooseCount } from "../../support/depth.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";

const START = Date.parse("2026-05-10T12:00:00Z");
const LATER = "2026-05-10T12:30:00.000Z";
const POLLS = chooseCount(300, 10_000);

let dynamodb: TestDynamodb;
let table: Table;
let polls: ConnectionPollStore;
let nowMs = START;
/** Messages that the queue took. */
let sent: ConnectionPollRef[] = [];
/** Whether the queue takes messages. */
let isQueueUp = true;
beforeAll(async () => {
  dynamodb = await startDynamodb();
  table = new Table(dynamodb.documents, directoryTable.name);
  polls = new ConnectionPollStore(table);
});
beforeEach(async () => {
  await dynamodb.clear();
  [nowMs, sent, isQueueUp] = [START, [], true];
  setPorts({ clock: { now: () => nowMs } });
});
afterAll(() => dynamodb.stop());

const connectionPulls = {
  sendAll: async (messages: readonly ConnectionPollRef[]) => {
    if (!isQueueUp) throw new Error("the queue is down");
    sent.push(...messages);
  },
};

/** Runs a sweep. @param roomAtMs when a provider has room for another start; undefined for now. */
async function sweep(roomAtMs?: number) {
  const throttles = { reserve: async () => roomAtMs };
  const deps = { connectionPolls: polls, throttles, connectionPulls } as unknown as Parameters<
    typeof dispatchDuePolls
  >[0];
  return dispatchDuePolls(deps, await polls.listDue(nowMs), TeamScope.grant);
}

const nameOf = (number: number): ConnectionPollRef => ({
  team_id: `team${number % 3}`,
  user_id: `user-${number.toString(16)}`,
  provider: "oura",
});

async function storeDue(count: number) {
  await inParallel(
    Array.from({ length: count }, (_, number) => nameOf(number)),
    async (name) => table.put(itemOf(name), {}),
    50,
  );
}

const itemOf = (name: ConnectionPollRef, dueAt = new Date(START).toISOString()) => {
  const write = polls.putItem(TeamScope.grant(name.team_id), newConnectionPoll(name, dueAt, dueAt));
  return write.Put?.Item as Parameters<Table["put"]>[0];
};

describe("a sweep", () => {
  test(`sends each of ${POLLS} due polls once, and again only after the time for its run`, async () => {
    await storeDue(POLLS);
    const first = await sweep();
    expect(first.started).toBe(POLLS);
    expect(new Set(sent.map(({ user_id }) => user_id)).size).toBe(POLLS);
    nowMs += 60_000;
    expect(await sweep()).toMatchObject({ started: 0, nextDueAt: new Date(START + RESEND_MS).toISOString() });
    nowMs = START + RESEND_MS;
    expect((await sweep()).started).toBe(POLLS);
  });

  test("that breaks off loses no poll", async () => {
    await storeDue(5);
    isQueueUp = false;
    await expect(sweep()).rejects.toThrow("the queue is down");
    isQueueUp = true;
    nowMs += RESEND_MS;
    expect((await sweep()).started).toBe(5);
  });

  test("and another one at the same time send each poll once", async () => {
    await storeDue(40);
    const both = await Promise.all([sweep(), sweep()]);
    expect(both[0].started + both[1].started).toBe(40);
    expect(sent).toHaveLength(40);
  });

  test("postpones a poll to the time at which its provider has room", async () => {
    await storeDue(1);
    expect(await sweep(Date.parse(LATER))).toEqual({ started: 0, nextDueAt: LATER });
    const stored = await polls.get(TeamScope.grant("team0"), nameOf(0));
    expect([stored?.due_at, stored?.sent_at]).toEqual([LATER, undefined]);
  });

  test("finds polls of the partition of earlier versions, which leave it", async () => {
    const former = `${connectionPolls.keyPrefix}due`;
    await table.put({ ...itemOf(nameOf(1)), due_shard: former }, {});
    expect((await sweep()).started).toBe(1);
    nowMs += RESEND_MS;
    const { due } = await polls.listDue(nowMs);
    expect(due).toHaveLength(1);
    const item = await dynamodb.documents.send(
      new GetCommand({ TableName: directoryTable.name, Key: { pk: itemOf(nameOf(1)).pk, sk: itemOf(nameOf(1)).sk } }),
    );
    expect(item.Item?.due_shard).toBe(`${former}#1`);
  });
});

describe("a message", () => {
  test("starts a run of a poll that was sent, and none while a run has begun", async () => {
    await storeDue(1);
    await sweep();
    const scope = TeamScope.grant("team0");
    const stored = await polls.get(scope, nameOf(0));
    if (!stored) throw new Error("the poll is gone");
    expect(isPollDue(stored, isoNow())).toBe(true);
    const running = await polls.replace(scope, stored, claimPoll(stored, LATER));
    expect(running && isPollDue(running, isoNow())).toBe(false);
  });
});
