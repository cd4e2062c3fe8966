import type { LinkErrorType } from "./link-errors.ts";

/** The regions in which providers keep accounts. */
export const loginRegions: readonly string[] = (
  "us eu de fr ca br ar cl co mx gb ie au nz nl at be bh ch cz dk eg es fi gr hr il it jo kw lb lu no om pl pt qa sa se " +
  "si sk tr za in sg hk kr ph tw"
).split(" ");

/** What came of a login at a provider. */
export type LoginOutcome =
  | { readonly state: "connected"; readonly accountId: string }
  | { readonly state: "failed"; readonly type: LinkErrorType; readonly message: string };

/** A login that is not over: the provider has sent the user a code. */
export interface PendingLogin {
  readonly state: "pending";
  readonly method: "sms" | "email";
  /** Where to, as much as the provider shows of it. */
  readonly hint: string;
  /** What the provider knows the login by; secret. */
  readonly challenge: string;
}

/** Providers where users log in by what they know, through us. */
export interface ProviderLogin {
  byPassword(provider: string, given: PasswordGiven): Promise<LoginOutcome | PendingLogin>;
  byEmail(provider: string, given: EmailGiven): Promise<LoginOutcome>;
  /** @param challenge of the login that waits for the code. */
  byCode(provider: string, challenge: string, code: string): Promise<LoginOutcome>;
}

export interface PasswordGiven {
  readonly username: string;
  readonly password: string;
  readonly region?: string | null | undefined;
}

export interface EmailGiven {
  readonly email: string;
  readonly region?: string | null | undefined;
}
