import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OpenIdPeer, type Override } from "../../../support/peers/open-id-peer.ts";
import { type Answer, TestService } from "../../../support/service.ts";
import { openConsole } from "./console-helpers.ts";
import { askSignIn, beginSignIn, expectNoSession, finishSignIn, setProvider, signInAs } from "./sign-in-helpers.ts";

let service: TestService;
let admin: Record<string, string>;
beforeAll(async () => {
  service = await TestService.start();
  admin = await openConsole(service, { key: service.identity.api_key });
});
afterAll(() => service.stop());

const expectRefusal = (answer: Answer, status: number, words: RegExp) =>
  expectNoSession(service, admin, answer, [status, words]);

const send =
  (status: number, body: string, type = "application/json"): Override =>
  (_, response) => {
    response.writeHead(status, { "content-type": type });
    response.end(body);
  };
const hang: Override = () => undefined;
const drip: Override = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), 200);
  response.on("close", () => clearInterval(timer));
};

describe("a provider", () => {
  const NO_ANSWER = /did not answer. Wait a minute/;
  const INVALID = /does not answer as OpenID Connect demands/;
  /** A team of its own, because containers remember what a provider said about itself. */
  const fresh = async (more: object = {}) => {
    const { teamId } = await service.createTeam(`Team ${crypto.randomUUID()}`);
    const own = await OpenIdPeer.start(`${service.baseUrl}/console/sign-in`);
    await setProvider(service, own, more, teamId);
    return { own, team_id: teamId };
  };
  const metadata = (issuer: string, more: object = {}) =>
    send(200, JSON.stringify({ issuer, authorization_endpoint: `${issuer}/auth`, ...more }));

  test.each<[string, (issuer: string) => Override, RegExp]>([
    ["that hangs", () => hang, NO_ANSWER],
    ["that sends a byte now and then", () => drip, NO_ANSWER],
    ["that fails", () => send(503, "busy"), NO_ANSWER],
    ["that closes the connection", () => (request) => void request.socket.destroy(), NO_ANSWER],
    ["whose answer is too large", () => send(200, `{"issuer":"${"x".repeat(300_000)}"}`), NO_ANSWER],
    ["that is none", () => send(404, "<html>", "text/html"), INVALID],
    ["that redirects", () => (_, response) => void response.writeHead(302, { location: "/" }).end(), INVALID],
    ["that answers garbage", () => send(200, "{"), INVALID],
    ["that answers a list", () => send(200, "[]"), INVALID],
    ["of another issuer", () => metadata("https://other.example"), INVALID],
    ["without an authorization endpoint", (issuer) => metadata(issuer, { authorization_endpoint: 1 }), INVALID],
    [
      "whose authorization endpoint is a script",
      (issuer) => metadata(issuer, { authorization_endpoint: "javascript:alert(1)//" }),
      INVALID,
    ],
    [
      "whose authorization endpoint is unencrypted",
      (issuer) => metadata(issuer, { authorization_endpoint: "http://other.example/" }),
      INVALID,
    ],
  ])("%s is refused at the beginning", { tags: "deep" }, async (_, override, words) => {
    const { own, team_id } = await fresh();
    own.overrides.set("/.well-known/", override(own.issuer));
    await expectRefusal(await askSignIn(service, { team_id }), 400, words);
    await own.stop();
  });

  test("that is gone is refused", async () => {
    const { own, team_id } = await fresh();
    await own.stop();
    await expectRefusal(await askSignIn(service, { team_id }), 400, NO_ANSWER);
  });

  test.each<[string, string, Override, number, RegExp]>([
    ["that hangs at the token endpoint", "/token", hang, 400, NO_ANSWER],
    ["that fails at the token endpoint", "/token", send(500, "{}"), 400, NO_ANSWER],
    ["that answers garbage at the token endpoint", "/token", send(200, "<html>", "text/html"), 400, INVALID],
    ["that answers no tokens", "/token", send(200, "{}"), 401, /not valid/],
    ["that sends no ID token", "/token", send(200, `{"access_token":"a","token_type":"bearer"}`), 401, /not valid/],
    ["whose keys are gone", "/jwks", send(404, ""), 400, INVALID],
    ["whose keys are garbage", "/jwks", send(200, `{"keys":7}`), 401, /not valid/],
  ])("%s is refused at the end", { tags: "deep" }, async (_, path, override, status, words) => {
    const { own, team_id } = await fresh();
    const { url, cookie } = await beginSignIn(service, { team_id });
    const back = await own.signIn(url, "admin-1");
    own.overrides.set(path, override);
    await expectRefusal(await finishSignIn(service, back.search, { cookie }), status, words);
    await own.stop();
  });

  test("that does not accept the secret is refused", async () => {
    const { own, team_id } = await fresh({ client_secret: "another secret" });
    const answer = await signInAs(service, own, "admin-1", { team_id });
    await expectRefusal(answer, 400, /does not accept this console. Ask your administrator/);
    await own.stop();
  });

  test("at which another redirect URI is registered never sends the browser back", async () => {
    const own = await OpenIdPeer.start("https://elsewhere.example/console/sign-in");
    const { teamId: team_id } = await service.createTeam("With another redirect URI");
    await setProvider(service, own, {}, team_id);
    const { url } = await beginSignIn(service, { team_id });
    await expect(own.signIn(url, "admin-1")).rejects.toThrow("the provider answered 400");
    await own.stop();
  });

  test("of a team that has none, or does not exist, gets the same answer", async () => {
    const { teamId } = await service.createTeam("Without a provider");
    for (const team_id of [teamId, crypto.randomUUID()])
      await expectRefusal(await askSignIn(service, { team_id }), 400, /no provider to sign in at/);
  });
});
