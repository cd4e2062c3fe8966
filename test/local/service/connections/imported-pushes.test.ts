import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { connectAccount, setPullDays } from "./link-helpers.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const bulk = (what: string, body: object) => service.call("POST", `/v2/link/bulk_${what}`, { body });

test.each([
  ["withings", "/notify"],
  ["fitbit", "/apiSubscriptions/"],
])("an imported connection of %s subscribes to pushes, also with access that has expired", async (provider, path) => {
  await setPullDays(service, 0, provider);
  const before = await service.createUser(`exported from ${provider}`);
  await connectAccount(service, before, "ada", provider);
  await service.settle();
  const { body } = await bulk("export", { user_ids: [before], provider });
  const subscriptions = () =>
    service.started.service.providers.requests.filter((one) => one.slug === provider && one.path.includes(path));
  const known = subscriptions().length;
  service.started.service.providers.provider(provider).tokens.expireAccessTokens();
  const user_id = await service.createUser(`imported to ${provider}`);
  const connections = [{ ...body.data[0], user_id, expires_at: Math.floor(service.cloud.clock.now() / 1000) }];
  const imported = await bulk("import", { provider, connections, wait_for_completion: true });
  expect(imported.body).toEqual({ user_ids_imported: [user_id], user_ids_failed: [] });
  await service.settle();
  const made = subscriptions().slice(known);
  expect(made.length).toBeGreaterThan(0);
  expect(new Set(made.map(({ status }) => Math.floor(status / 100)))).toEqual(new Set([2]));
});

test("an import succeeds if the provider refuses the subscription", async () => {
  const user_id = await service.createUser("refused");
  const access = { access_token: "none", refresh_token: "none", provider_id: "bob", expires_at: 4_000_000_000 };
  const imported = await bulk("import", {
    provider: "fitbit",
    connections: [{ ...access, user_id }],
    wait_for_completion: true,
  });
  expect(imported.body).toEqual({ user_ids_imported: [user_id], user_ids_failed: [] });
  await service.settle();
});
