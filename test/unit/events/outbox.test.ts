import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { eventTable } from "../../../lib/contract/resources.ts";
import { ConditionFailed } from "../../../lib/store/condition-failed.ts";
import { encodeBody } from "../../../lib/store/events/event-body.ts";
import { OutboxStore } from "../../../lib/store/events/outbox.ts";
import { eventIdentityKey } from "../../../lib/store/events/outbox-items.ts";
import { ReadCollector } from "../../../lib/store/read-collector.ts";
import { Table } from "../../../lib/store/table.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { commit } from "../../../lib/store/transaction.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";
import { createTestEvent } from "./create-test-event.ts";

const NOW = "2026-05-01T08:00:00.000Z";
const NOW_MS = Date.parse(NOW);
const LATER = "2026-05-01T09:00:00.000Z";
const KEPT_S = 37 * 86_400;
const expiry = (iso: string) => Date.parse(iso) / 1000 + KEPT_S;

let dynamodb: TestDynamodb;
let table: Table;
let outbox: OutboxStore;
let reads: ReadCollector;
beforeAll(async () => {
  dynamodb = await startDynamodb();
  table = new Table(dynamodb.documents, eventTable.name);
  outbox = new OutboxStore(table);
  reads = new ReadCollector(() => dynamodb.documents);
});
beforeEach(() => erase());
afterAll(() => dynamodb.stop());

const scanned = async () => {
  const { Items = [] } = await dynamodb.documents.send(new ScanCommand({ TableName: eventTable.name }));
  return Items as { pk: string; sk: string }[];
};
const erase = async () => {
  for (const pk of new Set((await scanned()).map((item) => item.pk))) await table.deletePartition(pk);
};

const short = () => createTestEvent("t", "u", 0);
const long = () => createTestEvent("t", "u", 1);
const place = ({ reference }: ReturnType<typeof createTestEvent>) => ({ pk: "event#t#u", sk: reference.event_id });
const shardOf = (eventId: string) => `event#${(eventId.codePointAt(eventId.length - 1) ?? 0) % 8}`;
const itemOf = (event: ReturnType<typeof createTestEvent>) => ({
  ...place(event),
  ...event.reference,
  created_at: NOW,
  unsent_shard: shardOf(event.reference.event_id),
  expires_at: expiry(NOW),
});

describe("an outbox event", () => {
  test("with a short body is one unsent item with an expiry", async () => {
    await outbox.append(short(), NOW);
    expect(await scanned()).toEqual([{ ...itemOf(short()), body: expect.any(Uint8Array) }]);
  });

  test("with a long body has a separate body item", async () => {
    await outbox.append(long(), NOW);
    const { pk, sk } = place(long());
    const apart = { pk, sk: `body#${sk}`, body: expect.any(Uint8Array), expires_at: expiry(NOW) };
    expect((await scanned()).sort((a, b) => a.sk.length - b.sk.length)).toEqual([itemOf(long()), apart]);
  });

  test("contains its body up to 400 compressed bytes", async () => {
    const events = Array.from({ length: 600 }, (_, filling) => createTestEvent("t", "u", 2, filling));
    const [most, over] = [400, 401].map((bytes) => events.find(({ body }) => encodeBody(body).length === bytes));
    for (const [event, items] of [
      [most, 1],
      [over, 2],
    ] as const) {
      await erase();
      await outbox.append(event ?? expect.fail("no body of this length"), NOW);
      expect(await scanned()).toHaveLength(items);
    }
  });

  test.each([
    ["short", short],
    ["long", long],
  ])("stays unchanged when it is added again, with a %s body", async (_, make) => {
    await outbox.append(make(), NOW);
    const before = await scanned();
    await outbox.append(make(), LATER);
    expect(await scanned()).toEqual(before);
  });

  test("is written once, in the transaction of its change", async () => {
    const change = outbox.appendItem(short(), NOW);
    await commit(dynamodb.documents, [change]);
    expect(await scanned()).toEqual([{ ...itemOf(short()), body: expect.any(Uint8Array) }]);
    await expect(commit(dynamodb.documents, [change])).rejects.toThrow(ConditionFailed);
  });

  test("for a single endpoint is stored with its text and not marked unsent", async () => {
    await outbox.appendUnpublished(short().reference, "{ }", NOW);
    const { unsent_shard: _, ...item } = itemOf(short());
    expect(await scanned()).toEqual([{ ...item, body: expect.any(Uint8Array) }]);
    expect(await outbox.getBody(short().reference)).toBe("{ }");
    expect((await outbox.listUnsent(NOW_MS)).unsent).toEqual([]);
  });

  test("with an invalid body is not written", async () => {
    const refused = new Error("not as its type says");
    const strict = new OutboxStore(table, (body) => {
      if (body.event_type === short().body.event_type) throw refused;
    });
    await expect(strict.append(short(), NOW)).rejects.toBe(refused);
    expect(() => strict.appendItem(short(), NOW)).toThrow(refused);
    expect(await scanned()).toEqual([]);
  });

  test("reports a failed write as an error, not as an existing event", async () => {
    const broken = new Error("the table is away");
    const put = vi.spyOn(table, "put").mockRejectedValue(broken);
    await expect(outbox.append(short(), NOW)).rejects.toBe(broken);
    put.mockRestore();
  });
});

describe("reading events", () => {
  const missing = createTestEvent("t", "u", 4).reference;
  const names = () => [short().reference, long().reference, missing];
  const text = (event: ReturnType<typeof createTestEvent>) => JSON.stringify(event.body);
  const addBoth = async () => {
    await outbox.append(short(), NOW);
    await outbox.append(long(), LATER);
  };
  const byName = () => [short(), long()].map((event) => [eventIdentityKey(event.reference), text(event)] as const);

  test("returns the body exactly as built, from either item", async () => {
    await addBoth();
    expect(await Promise.all(names().map((name) => outbox.getBody(name)))).toEqual([
      text(short()),
      text(long()),
      undefined,
    ]);
    expect(await outbox.getBodies(names())).toEqual(new Map(byName()));
    const readings = names().map((name) => outbox.readBodyItem(name));
    expect(await reads.read(readings)).toEqual([text(short()), text(long()), undefined]);
  });

  test("returns each user's own body when an earlier version gave events of two users one id", async () => {
    const [ours, theirs] = [short(), createTestEvent("t", "other", 1)];
    const namesake = { ...theirs, reference: { ...theirs.reference, event_id: ours.reference.event_id } };
    await outbox.append(ours, NOW);
    await outbox.append(namesake, NOW);
    const bodies = await outbox.getBodies([ours.reference, namesake.reference]);
    expect(bodies.get(eventIdentityKey(ours.reference))).toBe(text(ours));
    expect(bodies.get(eventIdentityKey(namesake.reference))).toBe(text(namesake));
  });

  test("queries separate body items only for events without an inline body", async () => {
    await addBoth();
    const getMany = vi.spyOn(table, "getMany");
    await outbox.getBodies(names());
    expect(getMany.mock.calls.map(([keys]) => keys.length)).toEqual([3, 1]);
    getMany.mockRestore();
  });

  test("returns no body once the event or its body item is erased", async () => {
    await addBoth();
    await outbox.append(createTestEvent("t", "u", 3), NOW);
    await table.delete(place(long()));
    const { pk, sk } = place(createTestEvent("t", "u", 3));
    await table.delete({ pk, sk: `body#${sk}` });
    for (const { reference } of [long(), createTestEvent("t", "u", 3)]) {
      expect(await outbox.getBody(reference)).toBeUndefined();
      expect(await outbox.getBodies([reference])).toEqual(new Map());
      expect(await reads.read([outbox.readBodyItem(reference)])).toEqual([undefined]);
    }
  });

  test("returns the references and write times of existing events", async () => {
    await addBoth();
    const found = await outbox.getReferences(names());
    const order = [short(), long()].map(({ reference }) => reference.event_id);
    expect(found.sort((a, b) => order.indexOf(a.event_id) - order.indexOf(b.event_id))).toEqual([
      short().reference,
      long().reference,
    ]);
    expect(await outbox.getCreationTimes(names())).toEqual(
      new Map([
        [eventIdentityKey(short().reference), NOW],
        [eventIdentityKey(long().reference), LATER],
      ]),
    );
  });
});

describe("a published event", () => {
  test("has its sequence, a new expiry, and is no longer unsent", async () => {
    await outbox.append(short(), NOW);
    await commit(dynamodb.documents, outbox.assignSequenceItems([short().reference], 7, Date.parse(LATER)));
    const { unsent_shard: _, ...item } = itemOf(short());
    const published = { sequence: 7, expires_at: expiry(LATER) };
    expect(await scanned()).toEqual([{ ...item, ...published, body: expect.any(Uint8Array) }]);
    expect((await outbox.listUnsent(NOW_MS)).unsent).toEqual([]);
  });

  test("is numbered in the given order", () => {
    const items = outbox.assignSequenceItems([short().reference, long().reference], 7, 0);
    expect(items.map(({ Update }) => Update?.ExpressionAttributeValues?.[":sequence"])).toEqual([7, 8]);
  });

  test("gets its sequence once, and none after an erasure", async () => {
    await outbox.append(short(), NOW);
    await commit(dynamodb.documents, outbox.assignSequenceItems([short().reference], 7, NOW_MS));
    const before = await scanned();
    for (const event of [short(), long()])
      await expect(commit(dynamodb.documents, outbox.assignSequenceItems([event.reference], 10, 0))).rejects.toThrow(
        ConditionFailed,
      );
    expect(await scanned()).toEqual(before);
  });
});

describe("the sweeper", () => {
  const at = (minutes: number) => new Date(NOW_MS + minutes * 60_000).toISOString();

  test("finds unsent events up to an instant, oldest first, and the write time of the next one", async () => {
    const order = [3, 0, 5, 1, 4, 2, 9, 8];
    for (const minutes of order) await outbox.append(createTestEvent("t", "u", minutes), at(minutes));
    const { unsent, nextDueAt } = await outbox.listUnsent(NOW_MS + 5 * 60_000);
    expect(unsent).toEqual(
      [0, 1, 2, 3, 4, 5].map((minutes) => ({
        reference: createTestEvent("t", "u", minutes).reference,
        createdAtMs: NOW_MS + minutes * 60_000,
      })),
    );
    expect(nextDueAt).toBe(Date.parse(at(8)));
    expect((await outbox.listUnsent(NOW_MS + 9 * 60_000)).nextDueAt).toBeUndefined();
  });

  test("reads at most 500 events at once", async () => {
    const events = Array.from({ length: 501 }, (_, number) => createTestEvent("t", "u", number, 0));
    for (let first = 0; first < events.length; first += 100)
      await commit(
        dynamodb.documents,
        events.slice(first, first + 100).map((event) => outbox.appendItem(event, NOW)),
      );
    const { unsent, nextDueAt } = await outbox.listUnsent(NOW_MS);
    expect([unsent.length, nextDueAt]).toEqual([500, NOW_MS]);
  });
});

test("the erasure of a user deletes all its events and no others, and returns the number of items", async () => {
  await outbox.append(short(), NOW);
  await outbox.append(long(), NOW);
  await outbox.append(createTestEvent("t", "v", 0), NOW);
  expect(await outbox.eraseUser(TeamScope.grant("t"), "u", async () => {})).toBe(3);
  expect((await scanned()).map(({ pk }) => pk)).toEqual(["event#t#v"]);
});
