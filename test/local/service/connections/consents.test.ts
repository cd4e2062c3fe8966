import { createHash } from "node:crypto";
import { compactVerify, createLocalJWKSet } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import {
  CookieJar,
  callWithLinkToken,
  createLinkToken,
  grantConsent,
  openCallback,
  setPullDays,
} from "./link-helpers.ts";

const PURPOSE = "To plan your training";
const POLICY = "https://team.example/privacy";
const DAY_MS = 86_400_000;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
  await setPullDays(service, 0);
  const { org_id, team_id } = service.identity;
  const sandbox = {
    consent_purpose: PURPOSE,
    privacy_policy_url: POLICY,
    brand_information: { company_name: "Acme Health", company_address: "1 Main St", support_email: "p@team.example" },
  };
  const { status } = await service.manage("PATCH", `/v1/org/${org_id}/team/${team_id}`, { body: { sandbox } });
  expect(status).toBe(200);
});
afterAll(() => service.stop());

let people = 0;
const createPerson = () => service.createUser(`agrees ${++people}`);
const noticeOf = async (token: string, provider: string) =>
  (await callWithLinkToken(service, "GET", `/v2/link/notice/${provider}`, token)).body;
const listConsents = async (user: string) => (await service.call("GET", `/v2/consents/${user}`)).body.consents;

/** Connects by OAuth, as the link page does after the consent step. @returns the link token. */
async function connectOura(user: string, account: string, { showsWords = true, without = "" } = {}) {
  const { link_token } = await createLinkToken(service, user);
  const query = showsWords ? `?notice_sha256=${(await noticeOf(link_token, "oura")).sha256}` : "";
  const browser = new CookieJar();
  const asked = await callWithLinkToken(service, "GET", `/v2/link/provider/oauth/oura${query}`, link_token);
  const redirect = await browser.open(asked.body.oauth_url);
  const page = new URL(redirect.headers.get("location") ?? "");
  const callback = await grantConsent(page, { account, ...(without ? { without } : {}) });
  expect((await openCallback(callback, browser)).outcome).toMatchObject({ state: "success" });
  return link_token as string;
}

async function verify(receipt: string, keys_url: string) {
  const keys = (await (await fetch(keys_url)).json()) as never;
  const { payload, protectedHeader } = await compactVerify(receipt, createLocalJWKSet(keys));
  return { record: JSON.parse(new TextDecoder().decode(payload)), protectedHeader };
}

test("an erasure deletes the consents of the user, and its certificate keeps a count", { tags: "deep" }, async () => {
  const user = await createPerson();
  await connectOura(user, "erased");
  await service.call("DELETE", `/v2/user/${user}`);
  await service.advance(8 * DAY_MS);
  const { body } = await service.call("GET", `/v2/user/erasure/${user}`);
  expect(body.stores.consents).toBe(1);
  expect(JSON.stringify(body)).not.toContain("oura");
});

describe("a connection through the link page", () => {
  test("has a receipt of the words, the scopes, the team and the link, which a public library verifies", async () => {
    const user = await createPerson();
    const token = await connectOura(user, "reads", { without: "heartrate" });
    const [consent] = await listConsents(user);
    expect(consent).toMatchObject({ provider: "oura", state: "given", ended_at: null, ended_by: null });
    const { record, protectedHeader } = await verify(consent.receipt, consent.keys_url);
    expect(protectedHeader).toMatchObject({ alg: "ES256", typ: "consent-receipt+jwt", jku: consent.keys_url });
    expect(record).toEqual({ iss: service.baseUrl, ...consent.record });
    expect(record).toMatchObject({
      schema_version: "ISO/IEC TS 27560:2023",
      record_id: consent.consent_id,
      pii_principal_id: user,
      pii_processing: { privacy_notice: POLICY, language: "en" },
      provider: "oura",
    });
    expect(record.pii_processing.purposes[0]).toMatchObject({ purpose: PURPOSE, collection_method: "link_page" });
    expect(record.party_identification[0]).toMatchObject({
      party_id: service.identity.team_id,
      party_name: "Acme Health",
      party_address: "1 Main St",
      party_contact: "p@team.example",
    });
    expect(record.scopes.shown).toContain("heartrate");
    expect(record.scopes.granted).not.toContain("heartrate");
    expect(record.scopes.granted.length).toBeGreaterThan(0);
    expect(record.notice.text).toContain("Share your Oura data with Acme Health");
    expect(record.notice.text).toContain(PURPOSE);
    expect(record.notice.sha256).toBe(createHash("sha256").update(record.notice.text).digest("hex"));
    const own = await callWithLinkToken(service, "GET", "/v2/link/consent", token);
    expect([own.status, own.body]).toEqual([200, consent]);
  });

  test("shows words that name the team, the purpose and the policy, and keeps those that were shown", async () => {
    const user = await createPerson();
    const { link_token } = await createLinkToken(service, user);
    const notice = await noticeOf(link_token, "whoop");
    expect(notice).toMatchObject({ version: "2", language: "en", purpose: PURPOSE, policy_url: POLICY, scopes: [] });
    const login = { username: "ada@example.com", password: "right", notice_sha256: notice.sha256 };
    const path = "/v2/link/provider/password/whoop";
    expect((await callWithLinkToken(service, "POST", path, link_token, login)).body.state).toBe("success");
    const [consent] = await listConsents(user);
    expect(consent.record.notice).toEqual(notice);
  });

  test("keeps the words through a code that the provider asks for", async () => {
    const user = await createPerson();
    const { link_token } = await createLinkToken(service, user);
    const { sha256: notice_sha256 } = await noticeOf(link_token, "whoop");
    const path = "/v2/link/provider/password/whoop";
    const login = { username: "mfa@example.com", password: "right", notice_sha256 };
    expect((await callWithLinkToken(service, "POST", path, link_token, login)).body.state).toBe("pending_provider_mfa");
    expect(await listConsents(user)).toEqual([]);
    const code = { mfa_code: "123456", notice_sha256 };
    await callWithLinkToken(service, "POST", `${path}/complete_mfa`, link_token, code);
    expect((await listConsents(user))[0].record.notice.sha256).toBe(notice_sha256);
  });

  test("is refused for words that are not the current ones, and connects nothing", async () => {
    const user = await createPerson();
    const { link_token } = await createLinkToken(service, user);
    const notice_sha256 = createHash("sha256").update("Other words").digest("hex");
    const oauth = `/v2/link/provider/oauth/oura?notice_sha256=${notice_sha256}`;
    expect((await callWithLinkToken(service, "GET", oauth, link_token)).status).toBe(422);
    const login = { username: "ada@example.com", password: "right", notice_sha256 };
    const refused = await callWithLinkToken(service, "POST", "/v2/link/provider/password/whoop", link_token, login);
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ["body", "notice_sha256"]]);
    expect((await service.call("GET", `/v2/user/providers/${user}`)).body.providers).toEqual([]);
    expect(await listConsents(user)).toEqual([]);
  });

  test("without words of the service says so", async () => {
    const user = await createPerson();
    await connectOura(user, "direct", { showsWords: false });
    const [{ record }] = await listConsents(user);
    expect(record.notice).toBeNull();
    expect(record.pii_processing).toMatchObject({ language: null, purposes: [{ collection_method: "other_page" }] });
  });
});

describe("a forged receipt", () => {
  test("does not verify: changed words, another signature, another key, no algorithm", async () => {
    const user = await createPerson();
    await connectOura(user, "forged");
    const [{ receipt, keys_url }] = await listConsents(user);
    const [head, body, signature] = (receipt as string).split(".") as [string, string, string];
    const record = JSON.parse(Buffer.from(body, "base64url").toString());
    record.notice.text = record.notice.text.replace("Acme Health", "Someone else");
    const changed = Buffer.from(JSON.stringify(record)).toString("base64url");
    const unsigned = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
    const flipped = `${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`;
    for (const forged of [`${head}.${changed}.${signature}`, `${head}.${body}.${flipped}`, `${unsigned}.${body}.`]) {
      await expect(verify(forged, keys_url)).rejects.toThrow();
    }
    const other = await service.createTeam("with another key");
    await expect(verify(receipt, `${service.baseUrl}/v2/consent_keys/${other.teamId}`)).rejects.toThrow();
  });
});

describe("a consent ends", () => {
  test("when the team disconnects the provider, with an event and a new receipt", async () => {
    const user = await createPerson();
    const token = await connectOura(user, "leaves");
    const [{ consent_id }] = await listConsents(user);
    expect((await service.call("DELETE", `/v2/user/${user}/oura`)).status).toBe(200);
    const { body } = await service.call("GET", `/v2/consents/${user}/${consent_id}`);
    expect(body).toMatchObject({ state: "terminated", ended_by: "team", ended_at: expect.any(String) });
    const { record } = await verify(body.receipt, body.keys_url);
    expect(record.events.map(({ event_state }: { event_state: string }) => event_state)).toEqual([
      "given",
      "terminated",
    ]);
    expect(record.events[1].entity_id).toBe(service.identity.team_id);
    expect((await callWithLinkToken(service, "GET", "/v2/link/consent", token)).status).toBe(404);
    await service.settle();
    const { events } = (await service.call("GET", "/v2/events?limit=500")).body;
    const published = events.filter(
      (one: { body: { data: { consent_id?: string } } | null }) => one.body?.data.consent_id === consent_id,
    );
    expect(
      published.map(({ body }: { body: { event_type: string; data: object } }) => [body.event_type, body.data]),
    ).toEqual([
      ["provider.consent.given", expect.objectContaining({ state: "given", ended_by: null })],
      ["provider.consent.ended", expect.objectContaining({ state: "terminated", ended_by: "team" })],
    ]);
  });

  test("when the user connects the provider anew, whose consent is the only one given", async () => {
    const user = await createPerson();
    await connectOura(user, "first");
    await service.advance(1_000);
    await connectOura(user, "second");
    const states = (await listConsents(user)).map(({ state, ended_by }: never) => [state, ended_by]);
    expect(states).toEqual([
      ["given", null],
      ["terminated", "user"],
    ]);
  });

  test("for one of two links that connect at once, and never for both", { tags: "deep" }, async () => {
    const user = await createPerson();
    await Promise.all(["one", "two", "three"].map((account) => connectOura(user, `at-once-${account}`)));
    const given = (await listConsents(user)).filter(({ state }: { state: string }) => state === "given");
    expect(given).toHaveLength(1);
  });

  test("when the user is deleted, and stays ended after an undo", async () => {
    const user = await createPerson();
    await connectOura(user, "deleted");
    expect((await service.call("DELETE", `/v2/user/${user}`)).status).toBe(200);
    expect((await service.call("GET", `/v2/consents/${user}`)).status).toBe(404);
    expect((await service.call("POST", `/v2/user/undo_delete?user_id=${user}`)).status).toBe(200);
    expect((await listConsents(user))[0]).toMatchObject({ state: "terminated", ended_by: "team" });
  });
});

describe("consents of others", () => {
  test("are unknown: of another team, of another user, of an unused link", async () => {
    const [user, otherUser] = [await createPerson(), await createPerson()];
    await connectOura(user, "own");
    const [{ consent_id }] = await listConsents(user);
    const { key } = await service.createTeam("another team");
    const read = (of: string, path = "", options = {}) => service.call("GET", `/v2/consents/${of}${path}`, options);
    expect((await read(user, "", { key })).status).toBe(404);
    expect((await read(user, `/${consent_id}`, { key })).status).toBe(404);
    expect((await read(otherUser, `/${consent_id}`)).status).toBe(404);
    expect((await read(user, "/cns_x")).status).toBe(422);
    const { link_token } = await createLinkToken(service, user);
    expect((await callWithLinkToken(service, "GET", "/v2/link/consent", link_token)).status).toBe(404);
    const unknown = await fetch(`${service.baseUrl}/v2/consent_keys/00000000-0000-4000-8000-000000000000`);
    expect([unknown.status, await unknown.json()]).toEqual([200, { keys: [] }]);
  });

  test("come in pages, the newest first", { tags: "deep" }, async () => {
    const user = await createPerson();
    for (const account of ["a", "b", "c"]) {
      await connectOura(user, `page-${account}`);
      await service.advance(1_000);
    }
    const first = (await service.call("GET", `/v2/consents/${user}?limit=2`)).body;
    const second = (await service.call("GET", `/v2/consents/${user}?limit=2&next_cursor=${first.next_cursor}`)).body;
    const times = [...first.consents, ...second.consents].map(({ given_at }: { given_at: string }) => given_at);
    expect([times.length, second.next_cursor]).toEqual([3, null]);
    expect(times).toEqual(times.toSorted().toReversed());
  });
});

test("a connection without a link has no consent: a demo", async () => {
  const user = await createPerson();
  const body = { user_id: user, provider: "oura" };
  expect((await service.call("POST", "/v2/link/connect/demo", { body })).status).toBe(200);
  expect(await listConsents(user)).toEqual([]);
});
