import { generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { OpenIdPeer } from "../../../support/peers/open-id-peer.ts";
import { type Answer, TestService } from "../../../support/service.ts";
import { callInConsole, consoleHeader, openConsole } from "./console-helpers.ts";
import { askSignIn, beginSignIn, expectNoSession, finishSignIn, setProvider, signInAs } from "./sign-in-helpers.ts";

let service: TestService;
let peer: OpenIdPeer;
let admin: Record<string, string>;
beforeAll(async () => {
  service = await TestService.start();
  peer = await OpenIdPeer.start(`${service.baseUrl}/console/sign-in`);
  await setProvider(service, peer);
  admin = await openConsole(service, { key: service.identity.api_key });
});
afterEach(() => peer.reset());
afterAll(async () => {
  await peer?.stop();
  await service?.stop();
});

const expectRefusal = (answer: Answer, status: number, words: RegExp) =>
  expectNoSession(service, admin, answer, [status, words]);

describe("an ID token", () => {
  const INVALID = /not valid for this sign-in. Sign in again/;

  test.each<[string, (claims: Record<string, unknown>) => object]>([
    ["of another issuer", () => ({ iss: "https://other.example" })],
    ["for another client", () => ({ aud: "another-client" })],
    ["for several clients, of which another one asked", ({ aud }) => ({ aud: [aud, "other"], azp: "other" })],
    ["that has expired", ({ iat }) => ({ exp: Number(iat) - 120 })],
    ["without an expiry", () => ({ exp: undefined })],
    ["that is not valid yet", ({ iat }) => ({ nbf: Number(iat) + 600 })],
    ["with the nonce of another sign-in", () => ({ nonce: "another" })],
    ["without a nonce", () => ({ nonce: undefined })],
    ["without a subject", () => ({ sub: undefined })],
    ["with a subject of another form", () => ({ sub: "two\nlines" })],
  ])("%s is refused", async (_, change) => {
    peer.changeClaims = (claims) => ({ ...claims, ...change(claims) });
    await expectRefusal(await signInAs(service, peer, "admin-1"), 401, INVALID);
  });

  test.each([
    ["without a signature", async (claims: object) => new UnsecuredJWT({ ...claims }).encode()],
    [
      "of a foreign key with the id of the provider's key",
      async (claims: object) => {
        const { privateKey } = await generateKeyPair("RS256");
        return new SignJWT({ ...claims }).setProtectedHeader({ alg: "RS256", kid: "key-1" }).sign(privateKey);
      },
    ],
    [
      "that is signed with the secret of the client",
      async (claims: object) => {
        const secret = Buffer.from(peer.client.client_secret);
        return new SignJWT({ ...claims }).setProtectedHeader({ alg: "HS256", kid: "key-1" }).sign(secret);
      },
    ],
    ["that is none", async () => "garbage"],
  ])("%s is refused", async (_, forge) => {
    peer.forgeToken = forge;
    await expectRefusal(await signInAs(service, peer, "admin-1"), 401, INVALID);
  });

  test("is accepted when the provider signs it again, so that the changes above are what is refused", async () => {
    peer.changeClaims = (claims) => claims;
    const answer = await signInAs(service, peer, "admin-1");
    expect(answer.status).toBe(201);
    await callInConsole(service, admin, "DELETE", `/console/sessions/${answer.body.session_id}`);
  });
});

describe("a person", () => {
  test.each([
    ["whose groups have no role", "stranger-1"],
    ["without the claim", "groupless-1"],
  ])("%s is refused", async (_, account) => {
    await expectRefusal(await signInAs(service, peer, account), 403, /no role in this console. Ask/);
  });

  test.each([["__proto__"], ["constructor.name"], ["groups.length"], ["groups.0.x"], ["sub"]])(
    "gets no role from the claim %s",
    async (role_claim) => {
      await setProvider(service, peer, { role_claim, roles: [{ value: "Object", role: "admin" }] });
      await expectRefusal(await signInAs(service, peer, "admin-1"), 403, /no role/);
      await setProvider(service, peer);
    },
  );

  test("whom the provider refuses is told so", async () => {
    await expectRefusal(await signInAs(service, peer, "nobody"), 403, /provider refused/);
  });
});

describe("an authorization response", () => {
  const WRONG_BROWSER = /This browser did not begin the sign-in/;
  const query = async (account = "admin-1") => {
    const { url, cookie } = await beginSignIn(service);
    return { back: await peer.signIn(url, account), cookie };
  };

  test("in another browser is refused, and still works in the one that began", async () => {
    const { back, cookie } = await query();
    const other = await beginSignIn(service);
    for (const otherCookie of ["", other.cookie, cookie.replace(/=.*/, `=${"A".repeat(43)}`)]) {
      const answer = await finishSignIn(service, back.search, { cookie: otherCookie });
      await expectRefusal(answer, 401, WRONG_BROWSER);
    }
    const answer = await finishSignIn(service, back.search, { cookie });
    expect(answer.status).toBe(201);
    await callInConsole(service, admin, "DELETE", `/console/sessions/${answer.body.session_id}`);
  });

  test("of an attacker does not sign the browser of a victim in", async () => {
    const attacker = await query("reader-1");
    const victim = await beginSignIn(service);
    await expectRefusal(await finishSignIn(service, attacker.back.search, victim), 401, WRONG_BROWSER);
    // With the state of the victim, the provider refuses the code: its verifier and nonce are of another browser.
    const mixed = new URLSearchParams(attacker.back.search);
    mixed.set("state", new URL(victim.url).searchParams.get("state") ?? "");
    await expectRefusal(await finishSignIn(service, String(mixed), victim), 401, /does not accept the code/);
  });

  test("works once, also when it is sent five times at once", async () => {
    const { back, cookie } = await query();
    const tries = await Promise.all([1, 2, 3, 4, 5].map(() => finishSignIn(service, back.search, { cookie })));
    expect(tries.map(({ status }) => status).toSorted()).toEqual([201, 401, 401, 401, 401]);
    const opened = tries.find(({ status }) => status === 201)?.body;
    await callInConsole(service, admin, "DELETE", `/console/sessions/${opened.session_id}`);
    await expectRefusal(await finishSignIn(service, back.search, { cookie }), 401, WRONG_BROWSER);
  });

  test.each<[string, (query: URLSearchParams) => void, number, RegExp]>([
    ["without a state", (query) => query.delete("state"), 401, WRONG_BROWSER],
    ["with another state", (query) => query.set("state", "st_other"), 401, WRONG_BROWSER],
    ["with two states", (query) => query.append("state", "st_other"), 401, /not valid/],
    ["of another issuer", (query) => query.set("iss", "https://other.example"), 401, /not valid/],
    ["without the issuer that the provider promises", (query) => query.delete("iss"), 401, /not valid/],
    ["with another code", (query) => query.set("code", "guessed"), 401, /does not accept the code/],
    ["without a code", (query) => query.delete("code"), 401, /not valid/],
    ["with a token", (query) => query.set("id_token", "x"), 401, /not valid/],
    ["with an error", (query) => query.set("error", "server_error"), 403, /provider refused/],
  ])("%s is refused", async (_, change, status, words) => {
    const { back, cookie } = await query();
    const changed = new URLSearchParams(back.search);
    change(changed);
    await expectRefusal(await finishSignIn(service, String(changed), { cookie }), status, words);
  });

  test("after ten minutes is refused", async () => {
    const { back, cookie } = await query();
    await service.advance(10 * 60_000);
    await expectRefusal(await finishSignIn(service, back.search, { cookie }), 401, WRONG_BROWSER);
  });

  test("of a code that the provider redeemed before is refused", async () => {
    const { back, cookie } = await query();
    const answer = await finishSignIn(service, back.search, { cookie });
    await callInConsole(service, admin, "DELETE", `/console/sessions/${answer.body.session_id}`);
    const other = await beginSignIn(service);
    const replayed = new URLSearchParams(back.search);
    replayed.set("state", new URL(other.url).searchParams.get("state") ?? "");
    await expectRefusal(await finishSignIn(service, String(replayed), other), 401, /does not accept the code/);
  });

  test("is proof for the token request by a verifier that the address did not show", async () => {
    const { url, cookie } = await beginSignIn(service);
    const back = await peer.signIn(url, "admin-1");
    const answer = await finishSignIn(service, back.search, { cookie });
    await callInConsole(service, admin, "DELETE", `/console/sessions/${answer.body.session_id}`);
    const asked = new URL(url).searchParams;
    const verifier = peer.tokenRequests.at(-1)?.get("code_verifier") ?? "";
    expect([asked.get("code_challenge_method"), verifier.length]).toEqual(["S256", 43]);
    expect(url).not.toContain(verifier);
    expect(cookie).not.toContain(verifier);
  });
});

describe("a request", () => {
  test("of a page of another site begins and finishes nothing", async () => {
    const headers = { origin: "https://evil.example" };
    const begin = { team_id: service.identity.team_id };
    const finish = { authorization_response: "code=a&state=b" };
    const call = (path: string, body: object) => callInConsole(service, headers, "POST", path, body);
    await expectRefusal(await call("/console/sign-in", begin), 403, /requires the header/);
    await expectRefusal(await call("/console/sign-in/completion", finish), 403, /requires the header/);
  });

  test.each([
    ...["https://evil.example", "//evil.example", "/\\evil.example", "/console/../..//evil.example", "/v2/user"],
    ...[
      "/console//evil.example",
      "javascript:alert(1)",
      "/console?next=1",
      "/console#x",
      "/consoles",
      "",
      "/console/%2f",
    ],
    `/console/${"a".repeat(500)}`,
  ])("to return to %s is refused", async (return_to) => {
    const { status, body } = await askSignIn(service, { return_to });
    expect([status, body.code, body.detail[0].loc]).toEqual([422, "validation_failed", ["body", "return_to"]]);
  });

  test("that is no sign-in is refused", async () => {
    const send = (body: object) => callInConsole(service, consoleHeader, "POST", "/console/sign-in/completion", body);
    expect((await send({ authorization_response: "x".repeat(8_001) })).status).toBe(422);
    await expectRefusal(await send({ authorization_response: "" }), 401, /did not begin/);
  });
});
