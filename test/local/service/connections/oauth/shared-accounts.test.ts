import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestService } from "../../../../support/service.ts";
import {
  connectAccount,
  createLinkToken,
  grantConsent,
  openAuthorizationUrl,
  openCallback,
  setPullDays,
} from "../link-helpers.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A provider whose revocation ends all access of an application to the account. */
const PROVIDER = "whoop_v2";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
  await setPullDays(service, 0, PROVIDER);
}, 120_000);
afterAll(() => service.stop());

/** Number of revocations that the provider has received. */
const countRevocations = () =>
  service.started.service.providers.requests.filter(
    ({ slug, method, path }) => slug === PROVIDER && method === "DELETE" && path.endsWith("/user/access"),
  ).length;

/** Whether the provider still gives the service data of a user. */
async function isWorking(userId: string, key?: string): Promise<boolean> {
  const options = key === undefined ? {} : { key };
  const { body } = await service.call("POST", `/v2/user/refresh/${userId}`, options);
  return body.refreshed_sources.length === 1 && body.failed_sources.length === 0;
}

/** Links a user's account. @returns the outcome of the link. */
async function link(userId: string, answer: Readonly<Record<string, string>>) {
  const { link_token } = await createLinkToken(service, userId);
  const page = await openAuthorizationUrl(service, link_token, PROVIDER);
  return (await openCallback(await grantConsent(page, answer))).outcome;
}

const disconnect = (userId: string, key?: string) =>
  service.call("DELETE", `/v2/user/${userId}/${PROVIDER}`, key === undefined ? {} : { key });

async function rejectDuplicates(reject_duplicate_connection: boolean) {
  const { org_id, team_id } = service.identity;
  const body = { sandbox: { reject_duplicate_connection } };
  expect((await service.manage("PATCH", `/v1/org/${org_id}/team/${team_id}`, { body })).status).toBe(200);
  // Functions cache settings for a minute.
  await service.advance(61_000);
}

describe("the access of a connection survives", () => {
  test("the refused link of another user", async () => {
    const [first, other] = [await service.createUser("first"), await service.createUser("other")];
    await connectAccount(service, first, "refused", PROVIDER);
    await rejectDuplicates(true);
    const before = countRevocations();
    expect(await link(other, { account: "refused" })).toMatchObject({ error_type: "duplicate_connection" });
    await rejectDuplicates(false);
    expect([await isWorking(first), countRevocations()]).toEqual([true, before]);
  });

  test("another link of its user without the required scopes", async () => {
    const user = await service.createUser("hesitant");
    await connectAccount(service, user, "hesitant", PROVIDER);
    const outcome = await link(user, { account: "hesitant", without: "read:profile" });
    expect(outcome).toMatchObject({ error_type: "required_scopes_not_granted" });
    expect(await isWorking(user)).toBe(true);
  });

  test("the end of another connection to the account, and ends with the last one", async () => {
    const { key } = await service.createTeam("Neighbour");
    const [one, two] = [await service.createUser("one"), await service.createUser("two")];
    const three = await service.createUser("three", key);
    for (const user of [one, two]) await connectAccount(service, user, "family", PROVIDER);
    await connectAccount(service, three, "family", PROVIDER, key);
    const before = countRevocations();
    await disconnect(one);
    expect([await isWorking(two), await isWorking(three, key)]).toEqual([true, true]);
    await disconnect(two);
    expect([await isWorking(three, key), countRevocations()]).toEqual([true, before]);
    await disconnect(three, key);
    expect(countRevocations()).toBe(before + 1);
  });

  test("the erasure of a user who had the account before", async () => {
    const [former, next] = [await service.createUser("former"), await service.createUser("next")];
    await connectAccount(service, former, "moved", PROVIDER);
    await service.call("DELETE", `/v2/user/${former}`);
    await connectAccount(service, next, "moved", PROVIDER);
    await service.advance(7 * DAY_MS + 60_000);
    const { body } = await service.call("GET", `/v2/user/erasure/${former}`);
    expect(body.consents).toMatchObject({ given_back: 0, ended_before: 1 });
    expect(await isWorking(next)).toBe(true);
  });
});

describe("access is revoked", () => {
  test("after a link without the required scopes of a user without a connection", async () => {
    const before = countRevocations();
    const outcome = await link(await service.createUser("new"), { account: "new", without: "read:profile" });
    expect(outcome).toMatchObject({ error_type: "required_scopes_not_granted" });
    expect(countRevocations()).toBe(before + 1);
  });

  test("at the end of a connection to an account whose other connection is broken", async () => {
    const [broken, whole] = [await service.createUser("broken"), await service.createUser("whole")];
    await connectAccount(service, broken, "half", PROVIDER);
    service.started.service.providers.provider(PROVIDER).tokens.revoke("half");
    await isWorking(broken);
    await service.settle();
    const { body } = await service.call("GET", `/v2/user/providers/${broken}`);
    expect(body.providers[0].status).toBe("error");
    await connectAccount(service, whole, "half", PROVIDER);
    const before = countRevocations();
    await disconnect(whole);
    expect(countRevocations()).toBe(before + 1);
  });
});
