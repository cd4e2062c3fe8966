import { expect } from "vitest";
import { connectAccount } from "../local/service/connections/link-helpers.ts";
import type { ContractWorld } from "./contract-world.ts";
import type { MethodRows } from "./method-rows.ts";

const provider = "oura";

/** Creates a user with a connection to a separate account. */
async function connected(world: ContractWorld): Promise<string> {
  const userId = await world.newUser();
  await connectAccount(world.service, userId, userId);
  return userId;
}

const recipeOf = (userId: string) => ({
  userId,
  accessToken: "access",
  refreshToken: "refresh",
  providerId: userId,
  expiresAt: 4_000_000_000,
});

/** Pulls of connections, and bulk operations. */
export const connectionRows: MethodRows = {
  user: {
    refresh: {
      request: async (world) => ({ userId: await connected(world) }),
      shows: (answer) =>
        expect(answer).toMatchObject({ success: true, refreshedSources: [provider], failedSources: [] }),
    },
  },
  introspect: {
    getUserResources: {
      request: ({ userId }) => ({ userId }),
      shows: (answer, { userId }) =>
        expect(answer).toMatchObject({
          data: [{ userId, provider: { apple_health_kit: { heartrate: { sentCount: expect.any(Number) } } } }],
          nextCursor: null,
        }),
    },
    getUserHistoricalPulls: {
      request: async (world) => ({ userId: await connected(world) }),
      shows: (answer) =>
        expect(answer.data[0]?.provider.oura?.pulled.sleep).toMatchObject({
          rangeStart: expect.any(Date),
          timeline: { scheduledAt: expect.any(Date) },
        }),
    },
  },
  link: {
    bulkImport: {
      request: async (world) => ({
        provider,
        connections: [recipeOf(await world.newUser())],
        waitForCompletion: true,
      }),
      shows: (answer) => expect(answer).toMatchObject({ userIdsImported: [expect.any(String)], userIdsFailed: [] }),
    },
    bulkTriggerHistoricalPull: {
      request: async (world) => ({ provider, userIds: [await connected(world)], waitForCompletion: true }),
      shows: (answer) => expect(answer).toMatchObject({ user_ids_failed: [] }),
    },
    bulkExport: {
      request: async (world) => ({ provider, userIds: [await connected(world)] }),
      shows: (answer) =>
        expect(answer).toMatchObject({ data: [{ accessToken: expect.any(String), expiresAt: expect.any(Number) }] }),
    },
    bulkPause: {
      request: async (world) => ({ provider, userIds: [await connected(world)] }),
      shows: (answer) => expect(answer).toMatchObject({ user_ids_failed: [] }),
    },
    listBulkOps: {
      request: async (world) => {
        await world.client.link.bulkImport({
          provider,
          connections: [recipeOf(await world.newUser())],
          waitForCompletion: true,
        });
        return { pageSize: 1 };
      },
      shows: (answer) =>
        expect(answer.data).toEqual([
          expect.objectContaining({ type: expect.stringMatching(/^link_bulk_/), provider }),
        ]),
    },
  },
};
