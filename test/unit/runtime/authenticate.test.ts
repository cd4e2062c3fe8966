import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { update } from "../../../lib/contract/access.ts";
import { keyUses } from "../../../lib/contract/resources.ts";
import { authenticateLab, authenticateManagement, authenticateTeam } from "../../../lib/runtime/authenticate.ts";
import { Unauthorized } from "../../../lib/runtime/errors.ts";
import { usesOf } from "../../../lib/runtime/uses.ts";
import { AuthenticateStage, NOW_MS, TEAM_ID } from "./authenticate-stage.ts";

const NOW_S = NOW_MS / 1000;
const INVALID = "The key is not valid for this interface.";

let stage: AuthenticateStage;
beforeEach(() => {
  stage = new AuthenticateStage();
});
afterEach(() => vi.restoreAllMocks());

const asTeam = (text: string) => authenticateTeam({ "x-service-api-key": text });
const refusal = async (caller: Promise<unknown>) => {
  const error = await caller.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Unauthorized);
  return (error as Error).message;
};

describe("a team", () => {
  test.each(["x-service-api-key", "x-vital-api-key"])("is known by its API key in %s", async (header) => {
    const team = stage.addTeam();
    const { text, key } = stage.addKey("sk_us");
    const caller = await authenticateTeam({ [header]: text });
    expect(caller).toEqual({ scope: { teamId: TEAM_ID }, team, keyId: key.key_id, header });
  });

  test.each(["Bearer", "bearer"])("is known by its access token after %s", async (scheme) => {
    const team = stage.addTeam();
    const { text, key } = stage.addKey("at", { kind: "access_token", expires_at: NOW_S + 1 });
    const caller = await authenticateTeam({ authorization: `${scheme} ${text}` });
    expect(caller).toEqual({ scope: { teamId: TEAM_ID }, team, keyId: key.key_id, header: "authorization" });
  });

  test("is its own, also where the container remembers another", async () => {
    stage.addTeam();
    const other = stage.addTeam({ team_id: "7ea70000-0000-4000-8000-000000000002" });
    await asTeam(stage.addKey("sk_us").text);
    const { text } = stage.addKey("sk_us", { team_ids: [other.team_id] });
    expect(await asTeam(text)).toMatchObject({ scope: { teamId: other.team_id }, team: other });
  });

  test("is known by the first of its headers alone, and by an API key rather than a token", async () => {
    stage.addTeam();
    const { text } = stage.addKey("sk_us");
    const { text: token } = stage.addKey("at", { kind: "access_token" });
    expect(await refusal(authenticateTeam({ "x-service-api-key": "none", "x-vital-api-key": text }))).toBe(INVALID);
    expect(await refusal(authenticateTeam({ "x-vital-api-key": "none", authorization: `Bearer ${token}` }))).toBe(
      INVALID,
    );
  });

  test.each([
    ["no header", {}],
    ["an authorization of another scheme", { authorization: "Basic abc" }],
    ["something before the scheme", { authorization: "x Bearer abc" }],
    ["something behind the token", { authorization: "Bearer abc x" }],
    ["a token without a space before it", { authorization: "Bearerabc" }],
    ["two spaces before the token", { authorization: "Bearer  abc" }],
  ])("is not known by %s", async (_, headers) => {
    expect(await refusal(authenticateTeam(headers))).toBe("The header x-service-api-key is missing.");
  });

  test("is not known by a text that is no key, and nothing is read for it", async () => {
    expect(await refusal(asTeam("sk_us_00000000"))).toBe(INVALID);
    expect(await refusal(asTeam(""))).toBe(INVALID);
    expect(stage.reads).toEqual([]);
  });

  test("is not known by a well-formed key that is not stored, or whose secret is another", async () => {
    stage.addTeam();
    const { text, key } = stage.addKey("sk_us");
    const other = stage.addKey("sk_us");
    stage.put({ ...key, sha256: other.key.sha256 });
    expect(await refusal(asTeam(text))).toBe(INVALID);
    stage.removeKey(other.key.key_id);
    expect(await refusal(asTeam(other.text))).toBe(INVALID);
  });

  test("that does not exist, or whose key names none, has no caller", async () => {
    const refused = "The team of this key does not exist.";
    expect(await refusal(asTeam(stage.addKey("sk_us").text))).toBe(refused);
    expect(await refusal(asTeam(stage.addKey("sk_us", { team_ids: [] }).text))).toBe(refused);
    expect(stage.reads.at(-1)).toBe("team#");
  });
});

describe("a key of one kind", () => {
  const kinds = ["team", "access_token", "lab", "org_admin", "team_admin"] as const;
  const takenBy = async (authenticate: (text: string) => Promise<unknown>) => {
    stage.addTeam();
    const taken = kinds.map(async (kind) => {
      const { text } = stage.addKey("mg", { kind });
      return authenticate(text).then(
        () => [kind],
        () => [],
      );
    });
    return (await Promise.all(taken)).flat();
  };

  test("is taken where that kind is, and nowhere else", async () => {
    expect(await takenBy(asTeam)).toEqual(["team"]);
    expect(await takenBy((text) => authenticateTeam({ authorization: `Bearer ${text}` }))).toEqual(["access_token"]);
    expect(await takenBy((text) => authenticateLab({ "x-lab-key": text }))).toEqual(["lab"]);
    const asManager = (text: string) => authenticateManagement({ "x-management-key": text });
    expect(await takenBy(asManager)).toEqual(["org_admin", "team_admin"]);
  });

  test("is asked for by the name of its header", async () => {
    expect(await refusal(authenticateLab({}))).toBe("The header x-lab-key is missing.");
    expect(await refusal(authenticateManagement({}))).toBe("The header x-management-key is missing.");
  });
});

test("a laboratory is known by the key that a team has given it", async () => {
  const team = stage.addTeam();
  const { text, key } = stage.addKey("lab", { kind: "lab", lab: "quest" });
  const caller = { scope: { teamId: TEAM_ID }, team, lab: "quest", keyId: key.key_id };
  expect(await authenticateLab({ "x-lab-key": text })).toEqual(caller);
  const { text: unnamed, key: nameless } = stage.addKey("lab", { kind: "lab" });
  expect(await authenticateLab({ "x-lab-key": unnamed })).toEqual({ ...caller, lab: "", keyId: nameless.key_id });
});

test.each(["x-management-key", "x-service-org-key", "x-vital-org-key"])("a manager is known by %s", async (header) => {
  const { text, key } = stage.addKey("mg", { kind: "org_admin" });
  expect(await authenticateManagement({ [header]: text })).toEqual({ key });
});

test("a key that expires lives until its second, also where it is remembered", async () => {
  stage.addTeam();
  const { text } = stage.addKey("at", { kind: "access_token", expires_at: NOW_S + 30 });
  const caller = () => authenticateTeam({ authorization: `Bearer ${text}` });
  stage.nowMs = (NOW_S + 30) * 1000 - 1;
  expect(await caller()).toMatchObject({ team: { team_id: TEAM_ID } });
  stage.nowMs += 1;
  expect(await refusal(caller())).toBe(INVALID);
});

describe("what a container remembers", () => {
  test("is read once within a minute, and again after it", async () => {
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

  test("lets a revoked key and a deleted team live for a minute, and no longer", async () => {
    stage.addTeam();
    const [kept, revoked] = [stage.addKey("sk_us"), stage.addKey("sk_us")];
    await Promise.all([asTeam(kept.text), asTeam(revoked.text)]);
    stage.removeKey(revoked.key.key_id);
    expect(await asTeam(revoked.text)).toMatchObject({ keyId: revoked.key.key_id });
    stage.nowMs = NOW_MS + 60_000;
    expect(await refusal(asTeam(revoked.text))).toBe(INVALID);
    expect(await asTeam(kept.text)).toMatchObject({ keyId: kept.key.key_id });
  });

  test("is nothing of what does not exist: a new key works at once", async () => {
    stage.addTeam();
    const { text, key } = stage.addKey("sk_us");
    stage.removeKey(key.key_id);
    await refusal(asTeam(text));
    stage.put(key);
    expect(await asTeam(text)).toMatchObject({ keyId: key.key_id });
  });

  test("is nothing any more of a key that is gone when its minute is over, should the clock go back", async () => {
    stage.addTeam();
    const { text, key } = stage.addKey("sk_us");
    await asTeam(text);
    stage.removeKey(key.key_id);
    stage.nowMs = NOW_MS + 60_000;
    await refusal(asTeam(text));
    stage.nowMs = NOW_MS;
    expect(await refusal(asTeam(text))).toBe(INVALID);
  });

  test("is at most a thousand keys and teams: then it begins anew", async () => {
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
  /** Lets what nobody waits for come to its end. */
  const settle = async () => {
    await usesOf([update(keyUses)]);
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

  test("is noted once a minute where the key is managed", async () => {
    const { text, key } = managed();
    await use(text);
    stage.nowMs = NOW_MS + 59_999;
    await use(text);
    expect(stage.notes).toEqual([{ id: key.key_id, at: new Date(NOW_MS).toISOString() }]);
    stage.nowMs += 1;
    await use(text);
    expect(stage.notes.map(({ at }) => at)).toEqual([NOW_MS, NOW_MS + 60_000].map((ms) => new Date(ms).toISOString()));
  });

  test("is not noted of a key that is not managed, nor of one that is refused", async () => {
    await use(stage.addKey("sk_us").text);
    await refusal(asTeam(stage.addKey("sk_us", { id: "k2", kind: "lab" }).text));
    await settle();
    expect(stage.notes).toEqual([]);
  });

  test("that could not be noted is noted by the next one, and lets nobody fail", async () => {
    const { text } = managed();
    stage.noteError = new Error("the table is away");
    await use(text);
    stage.noteError = undefined;
    await use(text);
    expect(stage.notes).toHaveLength(1);
  });

  test("is remembered of at most a thousand keys", async () => {
    const texts = Array.from({ length: 1000 }, (_, index) => managed(`k${index}`).text);
    for (const text of texts) await asTeam(text);
    const [first = ""] = texts;
    await use(first);
    expect(stage.notes).toHaveLength(1000);
    await use(managed("more").text);
    await use(first);
    expect(stage.notes).toHaveLength(1002);
  });
});
