import { expect } from "vitest";
import { type ContractWorld, dataProvider } from "./contract-world.ts";
import type { MethodRows } from "./method-rows.ts";

async function newConnectedUser(world: ContractWorld): Promise<{ userId: string; provider: "freestyle_libre" }> {
  const userId = await world.newUser();
  const provider = "freestyle_libre";
  await world.service.call("POST", "/v2/link/connect/demo", { body: { user_id: userId, provider } });
  return { userId, provider };
}

/** Providers, and the connections of users to them. */
export const providerRows: MethodRows = {
  providers: {
    getAll: {
      request: () => ({ sourceType: "ble" }),
      shows: (answer) =>
        expect(answer).toContainEqual(
          expect.objectContaining({ slug: "omron_ble", authType: "sdk", supportedResources: expect.any(Array) }),
        ),
    },
  },
  user: {
    getConnectedProviders: {
      request: newConnectedUser,
      shows: (answer) =>
        expect(answer).toMatchObject({
          providers: [{ slug: "freestyle_libre", status: "connected", createdOn: expect.any(Date) }],
        }),
    },
    getDevices: {
      request: ({ userId }) => ({ userId }),
      shows: (answer, { userId }) =>
        expect(answer).toEqual([
          expect.objectContaining({ userId, provider: dataProvider, deviceManufacturer: expect.any(String) }),
        ]),
    },
    getDevice: {
      request: async ({ client, userId }) => ({
        userId,
        deviceId: (await client.user.getDevices({ userId }))[0]?.id ?? "",
      }),
      shows: (answer, { userId }) => expect(answer).toMatchObject({ userId, provider: dataProvider }),
    },
    deregisterProvider: {
      request: newConnectedUser,
      shows: (answer) => expect(answer).toEqual({ success: true }),
    },
  },
};
