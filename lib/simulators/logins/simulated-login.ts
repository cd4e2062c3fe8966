import type { Environment } from "../../domain/identity.ts";
import { type LoginOutcome, loginRegions, type ProviderLogin } from "../../domain/linking/provider-login.ts";

/** What the simulated providers know of their users: a name that asks for a code, the code, a password that is wrong. */
const ASKS_FOR_CODE = "mfa@example.com";
const CODE = "123456";
const WRONG_PASSWORD = "wrong";

const connected = (account: string): LoginOutcome => ({ state: "connected", accountId: account.toLowerCase() });

/** Why there can be no login in a region. */
const refusalOf = (region: string | null | undefined): LoginOutcome | undefined =>
  region == null || loginRegions.includes(region)
    ? undefined
    : { state: "failed", type: "unsupported_region", message: "The provider has no accounts in this region." };

/** Providers with logins, as a sandbox has them: everybody is let in but for the password `wrong`. */
const simulatedLogin: ProviderLogin = {
  async byPassword(_, { username, password, region }) {
    const refusal = refusalOf(region);
    if (refusal) return refusal;
    if (password === WRONG_PASSWORD) {
      return { state: "failed", type: "provider_credential_error", message: "User name or password is wrong." };
    }
    if (username !== ASKS_FOR_CODE) return connected(username);
    return { state: "pending", method: "email", hint: "m***@example.com", challenge: username };
  },
  async byEmail(_, { email, region }) {
    return refusalOf(region) ?? connected(email);
  },
  async byCode(_, challenge, code) {
    if (code === CODE) return connected(challenge);
    return { state: "failed", type: "incorrect_mfa_code", message: "The code is not the one that was sent." };
  },
};

/** Providers with logins have no interface that is open to everybody: a sandbox has them simulated, else there are none. */
export const loginOf = (environment: Environment): ProviderLogin | undefined =>
  environment === "sandbox" ? simulatedLogin : undefined;
