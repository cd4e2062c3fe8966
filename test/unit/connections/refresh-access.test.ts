import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { oura } from "../../../lib/connectors/oura/oura.ts";
import { AccessEnded, ApplicationRefused, ProviderUnavailable } from "../../../lib/connectors/provider-error.ts";
import { directoryTable } from "../../../lib/contract/resources.ts";
import { EnvelopeEncryption } from "../../../lib/crypto/envelope-encryption.ts";
import { connectionEncryptionContext } from "../../../lib/domain/connections/connection-credentials.ts";
import { newUser } from "../../../lib/domain/users/user.ts";
import { openTable } from "../../../lib/runtime/aws/aws.ts";
import { ports, setPorts } from "../../../lib/runtime/ports.ts";
import { ProviderApps } from "../../../lib/runtime/provider-apps.ts";
import { createProviderClient, getAccessToken } from "../../../lib/services/connections/oauth/refresh-access.ts";
import { loadDemoProviders } from "../../../lib/simulators/load-demo-providers.ts";
import { ProviderServer } from "../../../lib/simulators/providers/provider-server.ts";
import { ConnectionCredentialStore } from "../../../lib/store/connections/connection-credentials.ts";
import { CustomCredentialStore } from "../../../lib/store/connections/custom-credentials.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { commit } from "../../../lib/store/transaction.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";

const scope = TeamScope.grant("0d5c6d0d-3c11-4bd4-8f0e-6a1f6f3e1df0");
const userId = "6a1f6f3e-1df0-4bd4-8f0e-0d5c6d0d3c11";
const name = { team_id: scope.teamId, user_id: userId, provider: "oura" };
const key = randomBytes(32);
const credentials = new EnvelopeEncryption({
  generate: async () => ({ plain: key, wrapped: new Uint8Array(1) }),
  unwrap: async () => key,
});

/** The configured applications of the deployment, if any. */
let set: string | undefined;
const settingOf = (client_secret: string, more = {}) =>
  JSON.stringify({ oura: { client_id: "tributary-local", client_secret, ...more } });

let database: TestDynamodb;
let providers: ProviderServer;
beforeAll(async () => {
  database = await startDynamodb();
  providers = await ProviderServer.start({ now: () => ports().clock.now(), at: () => undefined });
  Object.assign(process.env, {
    ALLOW_LOOPBACK_WEBHOOKS: "1",
    PROVIDER_BASE_URL: providers.origin,
    PROVIDER_CLIENT_ID: "tributary-local",
    PROVIDER_CLIENT_SECRET: "tributary-local-secret",
  });
});
afterAll(async () => {
  await providers.stop();
  await database.stop();
});

/** Stores a connection with expired access. */
async function expired() {
  const table = openTable(directoryTable);
  const connectionCredentials = new ConnectionCredentialStore(table);
  const issued = providers.provider("oura").tokens.issue({ account: "ada", scopes: ["daily"] });
  const tokens = { access_token: "old", refresh_token: issued.refreshToken ?? null };
  const record = {
    ...name,
    connected_on: "2026-01-01T00:00:00.000Z",
    client_id: "tributary-local",
    scopes: ["daily"],
    access_ends_at: "2026-01-02T00:00:00.000Z",
    sealed: await credentials.encrypt(JSON.stringify(tokens), connectionEncryptionContext(name)),
    version: 1,
  };
  await commit(database.documents, [connectionCredentials.putItem(scope, record)]);
  const customCredentials = new CustomCredentialStore(table);
  const providerApps = new ProviderApps(async () => set);
  return { connectionCredentials, credentials, customCredentials, providerApps, demoProviders: loadDemoProviders };
}

const connected = { scope, userId, connector: oura };
const exchanges = () => providers.requests.filter(({ path }) => path === "/oauth/token");

test("one of 50 concurrent callers refreshes expired access, and all get the same new token", {
  tags: "deep",
}, async () => {
  const deps = await expired();
  const tokens = await Promise.all(Array.from({ length: 50 }, () => getAccessToken(deps, connected)));
  expect(new Set(tokens).size).toBe(1);
  expect(tokens[0]).not.toBe("old");
  expect(exchanges().map(({ status }) => status)).toEqual([200]);
  expect(await getAccessToken(deps, connected)).toBe(tokens[0]);
  const [refused] = tokens;
  const renewed = await Promise.all(Array.from({ length: 10 }, () => getAccessToken(deps, connected, refused)));
  expect([new Set(renewed).size, exchanges().length]).toEqual([1, 2]);
});

test("a revoked grant gives no token and releases the lease", async () => {
  const deps = await expired();
  providers.provider("oura").tokens.revoke("ada");
  await expect(getAccessToken(deps, connected)).rejects.toThrow(AccessEnded);
  await expect(getAccessToken(deps, connected)).rejects.toThrow(AccessEnded);
  const stored = await deps.connectionCredentials.get(scope, userId, "oura");
  expect(stored?.lease_until).toBeUndefined();
});

test("a refresh uses a client secret changed since the last read, and a wrong secret ends no access", async () => {
  const deps = await expired();
  set = settingOf("old");
  await expect(getAccessToken(deps, connected)).rejects.toThrow(ApplicationRefused);
  set = settingOf("tributary-local-secret");
  expect(await getAccessToken(deps, connected)).not.toBe("old");
  set = undefined;
});

test("a refresh begins no second exchange that could outlast its lease, and a later one succeeds", async () => {
  const deps = await expired();
  set = settingOf("old");
  await expect(getAccessToken(deps, connected)).rejects.toThrow(ApplicationRefused);
  set = settingOf("tributary-local-secret");
  const { length } = exchanges();
  let slowMs = 0;
  setPorts({
    clock: { now: () => Date.now() + slowMs },
    outbound: (send) => send().finally(() => (slowMs = 10_000)),
  });
  try {
    await expect(getAccessToken(deps, connected)).rejects.toThrow("the lease leaves no time for the exchange");
    expect(exchanges().length - length).toBe(1);
    const stored = await deps.connectionCredentials.get(scope, userId, "oura");
    expect([stored?.lease_until, stored?.version]).toEqual([undefined, 1]);
    expect(await getAccessToken(deps, connected)).not.toBe("old");
  } finally {
    setPorts(undefined);
    set = undefined;
  }
});

test("a client gives its connector the application and its further keys, and no other one", async () => {
  const deps = await expired();
  const user = newUser({ client_user_id: "ada" }, { userId, teamId: scope.teamId }, "2026-01-01T00:00:00.000Z");
  const client = createProviderClient(deps, scope, user, oura);
  set = settingOf("own secret", { keys: { subscription_key: "own key" } });
  expect(await client.app()).toMatchObject({ clientId: "tributary-local", clientSecret: "own secret" });
  expect(await client.appKey("subscription_key")).toBe("own key");
  await expect(client.appKey("other_key")).rejects.toThrow(ProviderUnavailable);
  await commit(database.documents, [deps.connectionCredentials.deleteItem(scope, userId, "oura")]);
  await expect(client.app()).rejects.toThrow(ProviderUnavailable);
  set = undefined;
});
