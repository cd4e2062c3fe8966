import { expect } from "vitest";
import type { ContractWorld } from "./contract-world.ts";
import type { MethodRows } from "./method-rows.ts";

/** Creates a link token of a new user, in the form that the client sends. */
async function linkOf(world: ContractWorld) {
  const { linkToken } = await world.client.link.token({ userId: await world.newUser() });
  return { vitalLinkToken: linkToken };
}

const login = { provider: "whoop", username: "mfa@example.com", password: "right" } as const;

/** Linking, and signing users in on phones. */
export const linkRows: MethodRows = {
  link: {
    token: {
      request: ({ userId }) => ({ userId, provider: "oura", redirectUrl: "https://example.com", onClose: "redirect" }),
      shows: (answer) =>
        expect(answer).toMatchObject({ linkToken: expect.any(String), linkWebUrl: expect.stringContaining("/link/") }),
    },
    codeCreate: {
      request: ({ userId }) => ({ userId }),
      shows: (answer) =>
        expect(answer).toMatchObject({ code: expect.stringMatching(/^skus/), expiresAt: expect.any(Date) }),
    },
    getAllProviders: {
      request: linkOf,
      shows: (answer) => expect(answer).toContainEqual(expect.objectContaining({ slug: "oura", authType: "oauth" })),
    },
    generateOauthLink: {
      request: async (world) => ({ ...(await linkOf(world)), oauthProvider: "oura" }),
      shows: (answer) => expect(answer).toMatchObject({ slug: "oura", oauthUrl: expect.stringContaining("authorize") }),
    },
    connectPasswordProvider: {
      request: async (world) => ({ ...(await linkOf(world)), ...login, username: "ada" }),
      shows: (answer) => expect(answer).toMatchObject({ state: "success", connected: true, providerId: "ada" }),
    },
    completePasswordProviderMfa: {
      request: async (world) => {
        const link = await linkOf(world);
        await world.client.link.connectPasswordProvider({ ...link, ...login });
        return { ...link, provider: "whoop", mfaCode: "123456" };
      },
      shows: (answer) => expect(answer).toMatchObject({ state: "success", connected: true }),
    },
    connectEmailAuthProvider: {
      request: async (world) => ({
        ...(await linkOf(world)),
        provider: "freestyle_libre",
        email: "ada@example.com",
      }),
      shows: (answer) => expect(answer).toMatchObject({ connected: true }),
    },
  },
  user: {
    getUserSignInToken: {
      request: ({ userId }) => ({ userId }),
      shows: (answer, { userId }) => expect(answer).toMatchObject({ userId, signInToken: expect.any(String) }),
    },
  },
};
