import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { authenticateLab, authenticateManagement, authenticateTeam } from "../../../lib/runtime/authenticate.ts";
import { AuthenticateStage, INVALID, NOW_S, refusal, TEAM_ID } from "./authenticate-stage.ts";

let stage: AuthenticateStage;
beforeEach(() => {
  stage = new AuthenticateStage();
});
afterEach(() => vi.restoreAllMocks());

const asTeam = (text: string) => authenticateTeam({ "x-service-api-key": text });

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
  const caller = { scope: { teamId: TEAM_ID }, team, keyId: key.key_id, lab: "quest" };
  expect(await authenticateLab({ "x-lab-key": text })).toEqual(caller);
  const unnamed = stage.addKey("lab", { kind: "lab" });
  expect(await authenticateLab({ "x-lab-key": unnamed.text })).toEqual({
    ...caller,
    keyId: unnamed.key.key_id,
    lab: "",
  });
});

test.each(["x-management-key", "x-service-org-key", "x-vital-org-key"])("a manager is known by %s", async (header) => {
  const { text, key } = stage.addKey("mg", { kind: "org_admin" });
  expect(await authenticateManagement({ [header]: text })).toEqual({ key });
});
