import { Junction, JunctionClient } from "@junction-api/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allRows } from "./all-rows.ts";
import { ContractWorld } from "./contract-world.ts";
import { type SdkMethod, sdkMethods } from "./sdk-methods.ts";

const names = sdkMethods(new JunctionClient({ apiKey: "" })).map(({ name }) => name);

let world: ContractWorld;
let methods: ReadonlyMap<string, SdkMethod>;

beforeAll(async () => {
  world = await ContractWorld.start();
  methods = new Map(sdkMethods(world.client).map((method) => [method.name, method]));
});
afterAll(() => world.stop());

/** @throws Error if the client has no such method. */
function method(name: string): SdkMethod {
  const found = methods.get(name);
  if (!found) throw new Error(`the client has no ${name}`);
  return found;
}

test("each of the 205 methods of the client has a row", () => {
  expect([...allRows.keys()].toSorted()).toEqual(names.toSorted());
  expect(names).toHaveLength(205);
});

describe("the client calls and parses", () => {
  test.each([...allRows])("%s", async (name, row) => {
    const request = await row.request(world);
    await row.shows(await method(name).call(request), world);
  });
});

describe("the client throws its own error for", () => {
  test("a client_user_id in use, with the id of its user [errors-01] [errors-02]", async () => {
    const clientUserId = world.newClientUserId();
    const { userId, createdOn } = await world.client.user.create({ clientUserId });
    const error = await world.client.user.create({ clientUserId }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Junction.BadRequestError);
    const holder = { user_id: userId, created_on: createdOn.toISOString() };
    expect(error).toMatchObject({ statusCode: 400, body: { ...holder, detail: holder } });
  });

  test("an invalid request, with the location of the invalid value", async () => {
    const error = await world.client.user.get({ userId: "ada" }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Junction.UnprocessableEntityError);
    expect(error).toMatchObject({
      statusCode: 422,
      body: { detail: [{ loc: ["path", "user_id"], type: "invalid_format" }] },
    });
  });

  test("an unknown key", async () => {
    const client = new JunctionClient({ apiKey: "sk_us_unknown", baseUrl: world.service.baseUrl, maxRetries: 0 });
    const error = await client.user.getAll().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ statusCode: 401, body: { code: "unauthorized" } });
  });

  test("an unknown user", async () => {
    const userId = "11111111-2222-4333-8444-555555555555";
    const error = await world.client.user.get({ userId }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ statusCode: 404, body: { code: "user_not_found", request_id: expect.any(String) } });
  });
});
