import * as z from "zod";
import { consentOutcomes } from "../erasure/erasure-certificate.ts";

/** Tokens that a provider granted for a connection; stored as JSON in an envelope. */
export const grantedTokens = z.object({
  access_token: z.string(),
  refresh_token: z.string().nullable(),
});
export type GrantedTokens = z.output<typeof grantedTokens>;

/** Stored credentials of a connection; secrets are in an envelope. */
export const credentialsRecord = z.object({
  team_id: z.string(),
  user_id: z.string(),
  provider: z.string(),
  /** Creation time of the connection, which identifies it. */
  connected_on: z.string(),
  /** Whether a simulated provider granted the tokens. Such tokens go to simulated providers only. */
  demo: z.boolean().optional(),
  /** OAuth client that the tokens were issued to; a refresh must use the same client. */
  client_id: z.string(),
  scopes: z.array(z.string()),
  /** ISO 8601; null for access that does not expire. */
  access_ends_at: z.string().nullable(),
  sealed: z.string(),
  /** Incremented by every refresh. */
  version: z.int(),
  /** End of the lease of a running refresh, ISO 8601. */
  lease_until: z.string().optional(),
  /** Time since which the credentials are paused and not refreshed, ISO 8601. */
  paused_at: z.string().optional(),
  /** The provider's id of the user. Some providers need it to revoke access, after the connection itself has ended. */
  account_id: z.string().optional(),
  /** Outcome of revoking the access during the erasure of the user. */
  given_back: z.enum(consentOutcomes).optional(),
});
export type ConnectionCredentials = z.output<typeof credentialsRecord>;

/** Encryption context of a connection's credentials. */
export const connectionEncryptionContext = ({ team_id, user_id, provider }: ConnectionRef) =>
  ({ purpose: "connection", team_id, record: `${user_id}/${provider}`, field: "tokens" }) as const;

/** Reference to a connection. */
export type ConnectionRef = Pick<ConnectionCredentials, "team_id" | "user_id" | "provider">;
