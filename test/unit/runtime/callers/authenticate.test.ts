import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  authenticateLab,
  authenticateManagement,
  authenticateTeam,
} from "../../../../lib/runtime/callers/authenticate.ts";
import { AuthenticateFixture, INVALID_KEY_MESSAGE, NOW_S, refusalMessage, TEAM_ID } from "./authenticate-fixture.ts";

let stage: AuthenticateFixture;
beforeEach(() => {
  stage = new AuthenticateFixture();
});
afterEach(() => vi.restoreAllMocks());

const asTeam = (text: string) => authenticateTeam({ headers: { "x-service-api-key": text } });

describe("a team", () => {
  test.each(["x-service-api-key", "x-vital-api-key"])("is authenticated by its API key in %s", async (header) => {
    const team = stage.addTeam();
    const { text, key } = stage.addKey("sk_us");
    const caller = await authenticateTeam({ headers: { [header]: text } });
    expect(caller).toEqual({ scope: { teamId: TEAM_ID }, team, keyId: key.key_id, header });
  });

  test.each(["Bearer", "bearer"])("is authenticated by its access token after %s", async (scheme) => {
    const team = stage.addTeam();
    const { text, key } = stage.addKey("at", { kind: "access_token", expires_at: NOW_S + 1 });
    const caller = await authenticateTeam({ headers: { authorization: `${scheme} ${text}` } });
    expect(caller).toEqual({ scope: { teamId: TEAM_ID }, team, keyId: key.key_id, header: "authorization" });
  });

  test("is resolved correctly while another team is cached", async () => {
    stage.addTeam();
    const other = stage.addTeam({ team_id: "7ea70000-0000-4000-8000-000000000002" });
    await asTeam(stage.addKey("sk_us").text);
    const { text } = stage.addKey("sk_us", { team_ids: [other.team_id] });
    expect(await asTeam(text)).toMatchObject({ scope: { teamId: other.team_id }, team: other });
  });

  test("is authenticated by the first header only, and by an API key before a token", async () => {
    stage.addTeam();
    const { text } = stage.addKey("sk_us");
    const { text: token } = stage.addKey("at", { kind: "access_token" });
    expect(
      await refusalMessage(authenticateTeam({ headers: { "x-service-api-key": "none", "x-vital-api-key": text } })),
    ).toBe(INVALID_KEY_MESSAGE);
    expect(
      await refusalMessage(
        authenticateTeam({ headers: { "x-vital-api-key": "none", authorization: `Bearer ${token}` } }),
      ),
    ).toBe(INVALID_KEY_MESSAGE);
  });

  test.each([
    ["no header", {}],
    ["an authorization of another scheme", { authorization: "Basic abc" }],
    ["text before the scheme", { authorization: "x Bearer abc" }],
    ["text behind the token", { authorization: "Bearer abc x" }],
    ["a token without a space before it", { authorization: "Bearerabc" }],
    ["two spaces before the token", { authorization: "Bearer  abc" }],
  ])("is not authenticated by %s", async (_, headers) => {
    expect(await refusalMessage(authenticateTeam({ headers }))).toBe("The header x-service-api-key is missing.");
  });

  test("is not authenticated by a malformed key, without a read", async () => {
    expect(await refusalMessage(asTeam("sk_us_00000000"))).toBe(INVALID_KEY_MESSAGE);
    expect(await refusalMessage(asTeam(""))).toBe(INVALID_KEY_MESSAGE);
    expect(stage.reads).toEqual([]);
  });

  test("is not authenticated by a well-formed key that is unknown or has another secret", async () => {
    stage.addTeam();
    const { text, key } = stage.addKey("sk_us");
    const other = stage.addKey("sk_us");
    stage.put({ ...key, sha256: other.key.sha256 });
    expect(await refusalMessage(asTeam(text))).toBe(INVALID_KEY_MESSAGE);
    stage.removeKey(other.key.key_id);
    expect(await refusalMessage(asTeam(other.text))).toBe(INVALID_KEY_MESSAGE);
  });

  test("is rejected when it does not exist or the key names no team", async () => {
    const refused = "The team of this key does not exist.";
    expect(await refusalMessage(asTeam(stage.addKey("sk_us").text))).toBe(refused);
    expect(await refusalMessage(asTeam(stage.addKey("sk_us", { team_ids: [] }).text))).toBe(refused);
    expect(stage.reads.at(-1)).toBe("team#");
  });
});

describe("a key of one type", () => {
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

  test("is accepted only by interfaces of that type", async () => {
    expect(await takenBy(asTeam)).toEqual(["team"]);
    expect(await takenBy((text) => authenticateTeam({ headers: { authorization: `Bearer ${text}` } }))).toEqual([
      "access_token",
    ]);
    expect(await takenBy((text) => authenticateLab({ "x-lab-key": text }))).toEqual(["lab"]);
    const asManager = (text: string) => authenticateManagement({ "x-management-key": text });
    expect(await takenBy(asManager)).toEqual(["org_admin", "team_admin"]);
  });

  test("is requested by the name of its header", async () => {
    expect(await refusalMessage(authenticateLab({}))).toBe("The header x-lab-key is missing.");
    expect(await refusalMessage(authenticateManagement({}))).toBe("The header x-management-key is missing.");
  });
});

test("a laboratory is authenticated by a key of the team", async () => {
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

test.each(["x-management-key", "x-service-org-key", "x-vital-org-key"])(
  "a management caller is authenticated by %s",
  async (header) => {
    const { text, key } = stage.addKey("mg", { kind: "org_admin" });
    expect(await authenticateManagement({ [header]: text })).toEqual({ key });
  },
);
