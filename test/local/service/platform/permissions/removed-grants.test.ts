import { afterAll, beforeAll, expect, test } from "vitest";
import { GrantDrill } from "../../../../grants/grant-drill.ts";
import { describeGrant, isPlatformGrant, listPolicyGrants, type PolicyGrant } from "../../../../grants/policy-grant.ts";
import { createHeartRates, ingestBatch } from "../../ingest/ingest-batch.ts";
import { type StoryFixture, startStory } from "../../story/story-fixture.ts";
import { findFunctionName } from "../../support/stored-items.ts";

/** Functions that the short story calls with all of their grants. */
const passed = ["createUser", "getUser", "patchUser", "listEvents"];

let world: StoryFixture;
beforeAll(async () => {
  world = await startStory();
});
afterAll(() => world.stop());

/** Creates, reads and renames a user, ingests data, and reads its events. */
async function shortStory({ service, expireCaches: forget }: StoryFixture, name: string): Promise<void> {
  const ask = async (method: string, path: string, body?: object) => {
    await forget();
    const answer = await service.call(method, path, body ? { body } : {});
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  // The first user of a team creates the team's key, which later users open.
  await ask("POST", "/v2/user", { client_user_id: `${name} before` });
  const { user_id } = await ask("POST", "/v2/user", { client_user_id: name });
  await ask("GET", `/v2/user/${user_id}`);
  await ask("PATCH", `/v2/user/${user_id}`, { client_user_id: `${name} too` });
  await ingestBatch(service, user_id, { heartrate: createHeartRates("2026-05-01T08:00:00Z", 2) });
  await ask("GET", "/v2/events");
}

test("the story detects each grant that is removed from a function", { tags: "deep" }, async () => {
  const all = listPolicyGrants(world.service.cloud.policies);
  const ofStory = all.filter((grant) => passed.includes(grant.operation) && !isPlatformGrant(grant));
  const drill = new GrantDrill(world.service, ofStory);
  await shortStory(world, "someone");
  expect(drill.finish().map(({ grant }) => describeGrant(grant))).toEqual([]);
  expect(new Set(drill.noticed.map(({ grant }) => grant))).toEqual(new Set(ofStory));
  expect(drill.noticed.filter(({ lost, step }) => lost.length === 0 || !step)).toEqual([]);
});

test("an unneeded grant is detected, whether it is used or not", { tags: "deep" }, async () => {
  const { policies } = world.service.cloud;
  const caller = findFunctionName(world.service, "getUser");
  const own = policies.get(caller) ?? [];
  const needed = own.find(
    ({ actions, expected }) => actions.includes("dynamodb:getitem") && expected.includes("user#*"),
  );
  if (!needed) throw new Error("getUser does not read users");
  const twice = { ...needed, actions: ["dynamodb:getitem"] };
  const unused = { ...needed, actions: ["dynamodb:deleteitem"] };
  policies.set(caller, [...own, twice, unused]);
  const grants = listPolicyGrants(policies).filter(({ statement }) => statement === twice || statement === unused);
  const drill = new GrantDrill(world.service, grants);
  await shortStory(world, "somebody");
  const found = drill.finish();
  policies.set(caller, own);
  const removalOf = (grant: PolicyGrant | undefined) => found.find((one) => one.grant === grant);
  expect(drill.noticed).toEqual([]);
  expect(removalOf(grants[0])).toMatchObject({ step: "GET /v2/user/{id}", lost: [] });
  expect(removalOf(grants[1])).toEqual({ grant: grants[1], lost: [] });
});

test("a presigned link fails without the grant of the function that signed it", async () => {
  const { service } = world;
  // A link does not name its signer. The local cloud takes it for one of a function that may read the bucket.
  const otherReader = findFunctionName(service, "getFhirExportFile");
  const ofOther = service.cloud.policies.get(otherReader) ?? [];
  service.cloud.policies.set(otherReader, []);
  const ofLinks = (grant: PolicyGrant) => grant.operation === "getExport" && grant.action === "s3:getobject";
  const drill = new GrantDrill(service, listPolicyGrants(service.cloud.policies).filter(ofLinks));
  const userId = await service.createUser("exported");
  const { body } = await service.call("POST", `/v2/user/${userId}/export`);
  await service.settle();
  const { download_url } = (await service.call("GET", `/v2/user/${userId}/export/${body.id}`)).body;
  expect((await fetch(download_url)).status).toBe(200);
  expect(drill.finish()).toEqual([]);
  service.cloud.policies.set(otherReader, ofOther);
  const expected = { step: "GET of a presigned URL", lost: ["answers 200"], instead: "answers 403" };
  expect(drill.noticed).toMatchObject([expected]);
});
