import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dataKey, directoryTable, userKeyTable } from "../../../../lib/contract/resources.ts";
import type { DataKeyProvider, EncryptionContext } from "../../../../lib/crypto/envelope-encryption.ts";
import { newUser } from "../../../../lib/domain/users/user.ts";
import { openTable } from "../../../../lib/runtime/aws/aws.ts";
import { UserKeyRing } from "../../../../lib/runtime/aws/user-key-ring.ts";
import { UserKeyGone } from "../../../../lib/runtime/errors.ts";
import { setPorts } from "../../../../lib/runtime/ports.ts";
import { TtlCache } from "../../../../lib/runtime/ttl-cache.ts";
import { ConditionFailed } from "../../../../lib/store/condition-failed.ts";
import { TeamScope } from "../../../../lib/store/team-scope.ts";
import { commit, type WriteItem } from "../../../../lib/store/transaction.ts";
import { UserKeyStore } from "../../../../lib/store/users/user-keys.ts";
import { UserStore } from "../../../../lib/store/users/users.ts";
import { startDynamodb, type TestDynamodb } from "../../../support/dynamodb.ts";

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
const plain = Buffer.from("61 beats");

describe("the user key ring", () => {
  const scope = TeamScope.grant("t");
  let dynamodb: TestDynamodb;
  let kms: CountedKms;
  let nowMs = 0;
  beforeAll(async () => {
    dynamodb = await startDynamodb();
  });
  afterAll(() => dynamodb.stop());
  beforeEach(async () => {
    await dynamodb.clear();
    kms = new CountedKms();
    nowMs = Date.UTC(2026, 4, 1);
    setPorts({ clock: { now: () => nowMs } });
  });
  afterEach(() => setPorts(undefined));

  /** A separate container. */
  const ring = () => new UserKeyRing({ store: () => new UserKeyStore(openTable(userKeyTable)), kms: () => kms });
  const create = async (userId: string, by = ring(), of = scope) =>
    commit(dynamodb.documents, [await by.createItem(of, userId)]);
  const seal = async (by: UserKeyRing, userId = "u") => (await by.forUser(scope, userId)).encrypt(plain, ["p"]);
  const open = async (by: UserKeyRing, sealed: Uint8Array, userId = "u") =>
    text((await by.forUser(scope, userId)).decrypt(sealed, ["p"]));

  test("decrypts in one container what another container encrypted", async () => {
    await create("u");
    expect(await open(ring(), await seal(ring()))).toBe("61 beats");
  });

  test("has one team key although the first users are created concurrently", async () => {
    const containers = Array.from({ length: 6 }, () => ring());
    kms.answersAt = containers.length;
    await Promise.all(containers.map((container, index) => create(`u${index}`, container)));
    expect(kms.generated).toBe(containers.length);
    for (const [index, container] of containers.entries())
      expect(await open(ring(), await seal(container, `u${index}`), `u${index}`)).toBe("61 beats");
  });

  test("gives a user one key: one of two concurrent creations fails", async () => {
    const outcomes = await Promise.allSettled([create("u"), create("u")]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const [refused] = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(refused).toBeInstanceOf(ConditionFailed);
    expect(await open(ring(), await seal(ring()))).toBe("61 beats");
  });

  test("calls KMS once per team and reads the table once per user within a minute", async () => {
    await create("u");
    await create("v");
    kms.unwrapped = 0;
    const reader = ring();
    const sealed = await seal(reader);
    await Promise.all([open(reader, sealed), seal(reader, "v")]);
    nowMs += 59_999;
    expect(await open(reader, sealed)).toBe("61 beats");
    expect(kms.unwrapped).toBe(1);
    nowMs += 1;
    expect(await open(reader, sealed)).toBe("61 beats");
    expect(kms.unwrapped).toBe(2);
  });

  test("has no key for a user after its destruction, and a read creates none", async () => {
    await create("u");
    await create("other");
    const writer = ring();
    const [sealed, kept] = [await seal(writer), await seal(writer, "other")];
    await writer.destroy(scope, "u");
    await writer.destroy(scope, "u");
    for (const container of [writer, ring()]) {
      await expect(open(container, sealed)).rejects.toThrow(UserKeyGone);
      await expect(seal(container)).rejects.toThrow(UserKeyGone);
    }
    expect(await open(ring(), kept, "other")).toBe("61 beats");
  });

  test("destroys a key without KMS, which the erasing function may not call", async () => {
    await create("u");
    const eraser = new UserKeyRing({
      store: () => new UserKeyStore(openTable(userKeyTable)),
      kms: () => {
        throw new Error("no KMS");
      },
    });
    await eraser.destroy(scope, "u");
    await expect(ring().keyOf(scope, "u")).rejects.toThrow(UserKeyGone);
  });

  test("caches a destroyed key in another container for at most a minute", async () => {
    await create("u");
    const other = ring();
    const sealed = await seal(other);
    await ring().destroy(scope, "u");
    nowMs += 60_000;
    await expect(open(other, sealed)).rejects.toThrow(UserKeyGone);
  });

  test("has no key for users of a team without a key, and does not cache the absence", async () => {
    const reader = ring();
    await expect(reader.keyOf(scope, "u")).rejects.toThrow(UserKeyGone);
    await create("u");
    expect(await open(reader, await seal(reader))).toBe("61 beats");
  });

  test("returns data stored before user keys existed unchanged, with or without a user key", async () => {
    const unsealed = Buffer.from([1, 2, 3]);
    await create("u");
    for (const userId of ["u", "never"])
      expect((await ring().forUser(scope, userId)).decrypt(unsealed, ["p"])).toEqual(unsealed);
  });

  test("decrypts nothing that another key encrypted, and reports that the key is gone", async () => {
    await create("u");
    const sealed = await seal(ring());
    await ring().destroy(scope, "u");
    await create("u");
    await expect(open(ring(), sealed)).rejects.toThrow(UserKeyGone);
  });

  test("creates one missing key for an active user, and none for other users", async () => {
    const users = new UserStore(openTable(directoryTable));
    const active = newUser({ client_user_id: "a" }, { userId: "u", teamId: "t" }, new Date(nowMs).toISOString());
    await commit(dynamodb.documents, [users.createItem(scope, active)]);
    const deps = { users, commit: (items: readonly WriteItem[]) => commit(dynamodb.documents, items) };
    await Promise.all([ring(), ring(), ring()].map((container) => container.ensureKey(scope, "u", deps)));
    const sealed = await seal(ring());
    await ring().ensureKey(scope, "u", deps);
    expect(await open(ring(), sealed)).toBe("61 beats");
    await ring().ensureKey(scope, "deleted", deps);
    await expect(ring().keyOf(scope, "deleted")).rejects.toThrow(UserKeyGone);
  });

  test("binds the key of a team to the team and to the purpose that functions are limited to", async () => {
    await create("u");
    await create("u", ring(), TeamScope.grant("s"));
    expect(kms.contexts.map(({ purpose, team_id }) => [purpose, team_id])).toEqual([
      [dataKey.purposes[0], "t"],
      [dataKey.purposes[0], "s"],
    ]);
    const sealed = await seal(ring());
    const otherTeam = await ring().forUser(TeamScope.grant("s"), "u");
    expect(() => otherTeam.decrypt(sealed, ["p"])).toThrow();
  });
});

test("a TTL cache holds only the newest values and no failures", async () => {
  const memory = new TtlCache<number>(2, 1_000);
  let asked = 0;
  const ask = async () => ++asked;
  await memory.get("failing", () => Promise.reject(new Error("no"))).catch(() => {});
  expect(await memory.get("failing", ask)).toBe(1);
  expect(await memory.get("b", ask)).toBe(2);
  expect(await memory.get("c", ask)).toBe(3);
  expect(await memory.get("b", ask)).toBe(2);
  expect(await memory.get("failing", ask)).toBe(4);
});

/** Fake KMS data keys that count calls. A wrapped key unwraps only with its own encryption context. */
class CountedKms implements DataKeyProvider {
  readonly contexts: EncryptionContext[] = [];
  unwrapped = 0;
  /** Number of key requests to wait for before the first response. */
  answersAt = 1;
  readonly #answering = Promise.withResolvers<void>();
  readonly #kept = new Map<string, Uint8Array>();

  get generated(): number {
    return this.contexts.length;
  }

  async generate(context: EncryptionContext) {
    const [key, wrapped] = [randomBytes(32), randomBytes(40)];
    this.contexts.push(context);
    this.#kept.set(nameOf(wrapped, context), key);
    if (this.generated >= this.answersAt) this.#answering.resolve();
    await this.#answering.promise;
    return { plain: key, wrapped };
  }

  async unwrap(wrapped: Uint8Array, context: EncryptionContext): Promise<Uint8Array> {
    this.unwrapped += 1;
    return this.#kept.get(nameOf(wrapped, context)) ?? Promise.reject(new Error("another context"));
  }
}

const nameOf = (wrapped: Uint8Array, context: EncryptionContext) =>
  `${Buffer.from(wrapped).toString("hex")} ${JSON.stringify(context)}`;
