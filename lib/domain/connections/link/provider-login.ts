import type { LinkErrorType } from "./link-errors.ts";

/** Account regions of providers. */
export const loginRegions: readonly string[] = (
  "us eu de fr ca br ar cl co mx gb ie au nz nl at be bh ch cz dk eg es fi gr hr il it jo kw lb lu no om pl pt qa sa se " +
  "si sk tr za in sg hk kr ph tw"
).split(" ");

/** Outcome of a login at a provider. */
export type LoginOutcome =
  | { readonly state: "connected"; readonly accountId: string }
  | { readonly state: "failed"; readonly type: LinkErrorType; readonly message: string };

/** Pending login: the provider has sent a code to the user. */
export interface PendingLogin {
  readonly state: "pending";
  readonly method: "sms" | "email";
  /** Masked destination of the code, as the provider shows it. */
  readonly hint: string;
  /** The provider's secret identifier of the login. */
  readonly challenge: string;
}

/** Login at providers whose credentials the user enters in the link flow. */
export interface ProviderLogin {
  byPassword(provider: string, given: PasswordCredentials): Promise<LoginOutcome | PendingLogin>;
  byEmail(provider: string, given: EmailCredentials): Promise<LoginOutcome>;
  /** @param challenge challenge of the pending login. */
  byCode(provider: string, challenge: string, code: string): Promise<LoginOutcome>;
}

interface PasswordCredentials {
  readonly username: string;
  readonly password: string;
  readonly region?: string | null | undefined;
}

interface EmailCredentials {
  readonly email: string;
  readonly region?: string | null | undefined;
}
