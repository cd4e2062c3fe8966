import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { summaryTable } from "../../../../lib/contract/resources.ts";
import { workoutStream } from "../../../../lib/domain/summaries/streams/workout-stream.ts";
import { openTable } from "../../../../lib/runtime/aws/aws.ts";
import { type ObjectStorage, StreamStore } from "../../../../lib/store/summaries/streams.ts";
import { TeamScope } from "../../../../lib/store/team-scope.ts";
import { startDynamodb, type TestDynamodb } from "../../../support/dynamodb.ts";
import { createUserCiphers } from "../../../support/user-ciphers.ts";

const scope = TeamScope.grant("team");
const key = { userId: "user", kind: workoutStream, provider: "oura", sourceType: "ring", providerId: "run#1" };

/** In-memory object storage. A test can make a call fail or run a hook first. */
class MemoryObjects implements ObjectStorage {
  readonly contents = new Map<string, Uint8Array>();
  before: (verb: "put" | "get" | "delete") => Promise<void> | void = () => {};

  async put(name: string, content: Uint8Array) {
    await this.before("put");
    this.contents.set(name, content);
  }
  async get(name: string) {
    await this.before("get");
    const content = this.contents.get(name);
    if (!content) throw new Error("AccessDenied");
    return content;
  }
  async delete(name: string) {
    await this.before("delete");
    this.contents.delete(name);
  }
  async deleteAll(prefix: string) {
    for (const name of this.contents.keys()) if (name.startsWith(prefix)) this.contents.delete(name);
  }
}

let database: TestDynamodb;
let objects: MemoryObjects;
let store: StreamStore;
beforeAll(async () => {
  database = await startDynamodb();
});
beforeEach(async () => {
  await database.clear();
  objects = new MemoryObjects();
  store = new StreamStore(openTable(summaryTable), objects, createUserCiphers());
});
afterAll(() => database.stop());

const merge = (receiptId: string, text: string, isLatest = false) =>
  store
    .merge(scope, { ...key, stage: "daily", text }, { receiptId, hasNoOlderPending: async () => isLatest })
    .then(({ outcome }) => outcome);
const read = () => store.read(scope, key);
const failOnce = (verb: string) => {
  objects.before = (asked) => {
    if (asked !== verb) return;
    objects.before = () => {};
    throw new Error("cut off");
  };
};

test("a stream is created, then unchanged, then updated, and only its current object remains", async () => {
  expect(await read()).toBeUndefined();
  expect([await merge("r1", "one"), await merge("r2", "one"), await merge("r3", "two")]).toEqual([
    "created",
    "unchanged",
    "updated",
  ]);
  expect([await read(), objects.contents.size]).toEqual(["two", 1]);
});

test("a repeated receipt gets the same result as before", async () => {
  expect([await merge("r1", "one"), await merge("r1", "one")]).toEqual(["created", "created"]);
  expect([await merge("r2", "two"), await merge("r2", "two")]).toEqual(["updated", "updated"]);
  expect((await store.get(scope, key))?.version).toBe(2);
});

test("a stream that was received before the stored one is unchanged", async () => {
  await merge("r2", "two");
  expect([await merge("r1", "one"), await merge("r3", "two"), await merge("r2.5", "half")]).toEqual([
    "unchanged",
    "unchanged",
    "unchanged",
  ]);
  expect(await read()).toBe("two");
});

test("the latest received stream wins in any order of arrival, even when it only repeats earlier content", {
  tags: "deep",
}, async () => {
  const receipts = ["one", "two", "one", "three", "three"].map((text, index) => ({ receiptId: `r${index}`, text }));
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(receipts, { minLength: 2 }), async (arriving) => {
      await database.clear();
      objects.contents.clear();
      for (const { receiptId, text } of arriving) await merge(receiptId, text);
      const latest = arriving.toSorted((a, b) => (a.receiptId < b.receiptId ? -1 : 1)).at(-1);
      expect([await read(), objects.contents.size]).toEqual([latest?.text, 1]);
    }),
    { numRuns: 60 },
  );
});

test("concurrent batches leave only the latest received object", async () => {
  await Promise.all(["r3", "r1", "r5", "r2", "r4"].map((receiptId) => merge(receiptId, `of ${receiptId}`)));
  expect([await read(), objects.contents.size]).toEqual(["of r5", 1]);
});

test("a repeated stream writes nothing when no earlier batch can arrive", async () => {
  await merge("r1", "one");
  const before = await store.get(scope, key);
  expect([await merge("r2", "one", true), await store.get(scope, key)]).toEqual(["unchanged", before]);
});

test.each(["put", "delete"])(
  "a batch that fails at the object call %s can be repeated with the same result",
  async (verb) => {
    await merge("r1", "one");
    failOnce(verb);
    await expect(merge("r2", "two")).rejects.toThrow("cut off");
    expect(await read()).toBe(verb === "put" ? "one" : "two");
    expect([await merge("r2", "two"), await read(), objects.contents.size]).toEqual(["updated", "two", 1]);
  },
);

test("a reader gets the new content of a stream that is replaced between the reads of item and object", async () => {
  await merge("r1", "one");
  objects.before = async (asked) => {
    if (asked !== "get") return;
    objects.before = () => {};
    await merge("r2", "two");
  };
  expect(await read()).toBe("two");
});

test("an unreadable object fails the read", async () => {
  await merge("r1", "one");
  failOnce("get");
  await expect(read()).rejects.toThrow("cut off");
});

test("an erasure deletes all objects of the user, including those of interrupted batches", async () => {
  await merge("r1", "one");
  failOnce("delete");
  await expect(merge("r2", "two")).rejects.toThrow("cut off");
  await store.merge(
    scope,
    { ...key, userId: "user-2", stage: "daily", text: "other" },
    { receiptId: "r1", hasNoOlderPending: async () => true },
  );
  expect(objects.contents.size).toBe(3);
  expect(await store.eraseUser(scope, "user")).toBe(1);
  expect([await read(), [...objects.contents.keys()]]).toEqual([undefined, [expect.stringContaining("team/user-2/")]]);
});
