import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { updateItem } from "../../../../lib/contract/access.ts";
import { keyUses } from "../../../../lib/contract/resources.ts";
import { authenticateTeam } from "../../../../lib/runtime/callers/authenticate.ts";
import { resolveDependencies } from "../../../../lib/runtime/dependencies.ts";
import {
  AuthenticateFixture,
  INVALID_KEY_MESSAGE,
  NOW_MS,
  NOW_S,
  refusalMessage,
  TEAM_ID,
} from "./authenticate-fixture.ts";

let stage: AuthenticateFixture;
beforeEach(() => {
  stage = new AuthenticateFixture();
});
afterEach(() => vi.restoreAllMocks());

const asTeam = (text: string) => authenticateTeam({ headers: { "x-service-api-key": text } });

test("an expiring key is valid until its expiry, even while it is cached", async () => {
  stage.addTeam();
  const { text } = stage.addKey("at", { kind: "access_token", expires_at: NOW_S + 30 });
  const caller = () => authenticateTeam({ headers: { authorization: `Bearer ${text}` } });
  stage.nowMs = (NOW_S + 30) * 1000 - 1;
  expect(await caller()).toMatchObject({ team: { team_id: TEAM_ID } });
  stage.nowMs += 1;
  expect(await refusalMessage(caller())).toBe(INVALID_KEY_MESSAGE);
});

describe("the authentication cache", () => {
  test("reads a key once a minute", async () => {
    stage.addTeam();
    const { text, key } = stage.addKey("sk_us");
    await asTeam(text);
    stage.nowMs = NOW_MS + 59_999;
    await asTeam(text);
    expect(stage.reads).toEqual([`key#${key.key_id}`, `team#${TEAM_ID}`]);
    stage.nowMs += 1;
    await asTeam(text);
    expect(stage.reads).toHaveLength(4);
  });

  test("accepts a revoked key and a deleted team for at most a minute", async () => {
    stage.addTeam();
    const [kept, revoked] = [stage.addKey("sk_us"), stage.addKey("sk_us")];
    await Promise.all([asTeam(kept.text), asTeam(revoked.text)]);
    stage.removeKey(revoked.key.key_id);
    expect(await asTeam(revoked.text)).toMatchObject({ keyId: revoked.key.key_id });
    stage.nowMs = NOW_MS + 60_000;
    expect(await refusalMessage(asTeam(revoked.text))).toBe(INVALID_KEY_MESSAGE);
    expect(await asTeam(kept.text)).toMatchObject({ keyId: kept.key.key_id });
  });

  test("caches no missing key: a new key works at once", async () => {
    stage.addTeam();
    const { text, key } = stage.addKey("sk_us");
    stage.removeKey(key.key_id);
    await refusalMessage(asTeam(text));
    stage.put(key);
    expect(await asTeam(text)).toMatchObject({ keyId: key.key_id });
  });

  test("drops a deleted key after its minute, even when the clock goes back", async () => {
    stage.addTeam();
    const { text, key } = stage.addKey("sk_us");
    await asTeam(text);
    stage.removeKey(key.key_id);
    stage.nowMs = NOW_MS + 60_000;
    await refusalMessage(asTeam(text));
    stage.nowMs = NOW_MS;
    expect(await refusalMessage(asTeam(text))).toBe(INVALID_KEY_MESSAGE);
  });

  test("holds at most a thousand keys and teams, then starts empty", async () => {
    stage.addTeam();
    const texts = Array.from({ length: 999 }, () => stage.addKey("sk_us").text);
    for (const text of texts) await asTeam(text);
    const [first = ""] = texts;
    const before = stage.reads.length;
    await asTeam(first);
    expect(stage.reads).toHaveLength(before);
    await asTeam(stage.addKey("sk_us").text);
    await asTeam(first);
    expect(stage.reads.length - before).toBe(3);
  });
});

describe("the use of a key", () => {
  /** Waits for pending background writes. */
  const settle = async () => {
    await resolveDependencies([updateItem(keyUses)]);
    await new Promise((resolve) => setImmediate(resolve));
  };
  const use = async (text: string) => {
    await asTeam(text);
    await settle();
  };
  const managed = (id = "k1") => stage.addKey("sk_us", { id });

  beforeEach(() => {
    stage.addTeam();
  });

  test("is recorded once a minute for a managed key", async () => {
    const { text, key } = managed();
    await use(text);
    stage.nowMs = NOW_MS + 59_999;
    await use(text);
    expect(stage.recordedUses).toEqual([{ id: key.key_id, at: new Date(NOW_MS).toISOString() }]);
    stage.nowMs += 1;
    await use(text);
    expect(stage.recordedUses.map(({ at }) => at)).toEqual(
      [NOW_MS, NOW_MS + 60_000].map((ms) => new Date(ms).toISOString()),
    );
  });

  test("is not recorded for an unmanaged key or a rejected key", async () => {
    await use(stage.addKey("sk_us").text);
    await refusalMessage(asTeam(stage.addKey("sk_us", { id: "k2", kind: "lab" }).text));
    await settle();
    expect(stage.recordedUses).toEqual([]);
  });

  test("is recorded by the next use after a failed write, and a failed write fails no request", async () => {
    const { text } = managed();
    stage.recordError = new Error("the table is away");
    await use(text);
    stage.recordError = undefined;
    await use(text);
    expect(stage.recordedUses).toHaveLength(1);
  });

  test("is cached for at most a thousand keys", async () => {
    const texts = Array.from({ length: 1000 }, (_, index) => managed(`k${index}`).text);
    for (const text of texts) await asTeam(text);
    const [first = ""] = texts;
    await use(first);
    expect(stage.recordedUses).toHaveLength(1000);
    await use(managed("more").text);
    await use(first);
    expect(stage.recordedUses).toHaveLength(1002);
  });
});
