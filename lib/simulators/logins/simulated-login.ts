import { type LoginOutcome, loginRegions, type ProviderLogin } from "../../domain/connections/link/provider-login.ts";
import type { Environment } from "../../domain/management/records.ts";

/** Test credentials: a user name that requires a code, the code, and a password that fails. */
const MFA_USERNAME = "mfa@example.com";
const MFA_CODE = "123456";
const WRONG_PASSWORD = "wrong";

const connected = (account: string): LoginOutcome => ({ state: "connected", accountId: account.toLowerCase() });

/** Returns the failure for an unsupported region, or undefined. */
const checkRegion = (region: string | null | undefined): LoginOutcome | undefined =>
  region == null || loginRegions.includes(region)
    ? undefined
    : { state: "failed", type: "unsupported_region", message: "The provider has no accounts in this region." };

/** The simulated password and e-mail login of sandboxes. Accepts all credentials except the password `wrong`. */
const simulatedLogin: ProviderLogin = {
  async byPassword(_, { username, password, region }) {
    const refusal = checkRegion(region);
    if (refusal) return refusal;
    if (password === WRONG_PASSWORD) {
      return { state: "failed", type: "provider_credential_error", message: "The user name or password is wrong." };
    }
    if (username !== MFA_USERNAME) return connected(username);
    return { state: "pending", method: "email", hint: "m***@example.com", challenge: username };
  },
  async byEmail(_, { email, region }) {
    return checkRegion(region) ?? connected(email);
  },
  async byCode(_, challenge, code) {
    if (code === MFA_CODE) return connected(challenge);
    return { state: "failed", type: "incorrect_mfa_code", message: "The code is incorrect." };
  },
};

/** Returns the simulated login in a sandbox, or undefined: the providers publish no login API. */
export const findProviderLogin = (environment: Environment): ProviderLogin | undefined =>
  environment === "sandbox" ? simulatedLogin : undefined;
