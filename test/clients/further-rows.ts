import { expect } from "vitest";
import type { ContractWorld } from "../contract/contract-world.ts";
import type { AnyMethodRow } from "../contract/method-rows.ts";

async function linkToken(world: ContractWorld): Promise<string> {
  return (await world.client.link.token({ userId: await world.newUser() })).linkToken;
}

/** Rows of methods that the TypeScript client has not: `resource.method` -> its row. */
export const furtherRows: ReadonlyMap<string, AnyMethodRow> = new Map<string, AnyMethodRow>([
  [
    "link.isTokenValid",
    {
      request: async (world) => ({ token: await linkToken(world) }),
      shows: (answer) => expect(answer).toMatchObject({ valid: true }),
    },
  ],
  [
    "link.startConnect",
    {
      request: async (world) => ({ linkToken: await linkToken(world), provider: "oura" }),
      shows: (answer) => expect(answer).toMatchObject({ oauth_url: expect.any(String) }),
    },
  ],
  [
    "link.tokenState",
    {
      request: async (world) => ({ vitalLinkToken: await linkToken(world) }),
      shows: (answer) => expect(answer).toMatchObject({ state: "pending" }),
    },
  ],
]);
