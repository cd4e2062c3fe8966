import * as z from "zod";
import { consentOutcomes } from "../erasure.ts";

/** What a provider gave for a connection; it travels as JSON inside an envelope. */
export const grantedTokens = z.object({
  access_token: z.string(),
  refresh_token: z.string().nullable(),
});
export type GrantedTokens = z.output<typeof grantedTokens>;

/** The credentials of a connection as stored; what is secret is an envelope. */
export const credentialsRecord = z.object({
  team_id: z.string(),
  user_id: z.string(),
  provider: z.string(),
  /** The connection that they belong to, by its time of creation. */
  connected_on: z.string(),
  /** Whether a simulated provider gave them, who alone may be shown them. */
  demo: z.boolean().optional(),
  /** The application that they were given to: a refresh has to come from the same. */
  client_id: z.string(),
  scopes: z.array(z.string()),
  /** ISO 8601; null for access that does not end. */
  access_ends_at: z.string().nullable(),
  sealed: z.string(),
  /** Grows with every refresh. */
  version: z.int(),
  /** Until when somebody is refreshing them, ISO 8601. */
  lease_until: z.string().optional(),
  /** Since when they are not refreshed, ISO 8601. */
  paused_at: z.string().optional(),
  /** The provider's id of the user, which some need to take access back; connections end before that. */
  account_id: z.string().optional(),
  /** What became of the access when the user was erased. */
  given_back: z.enum(consentOutcomes).optional(),
});
export type ConnectionCredentials = z.output<typeof credentialsRecord>;

/** What the credentials of a connection are bound to. */
export const connectionContext = ({ team_id, user_id, provider }: ConnectionName) =>
  ({ purpose: "connection", team_id, record: `${user_id}/${provider}`, field: "tokens" }) as const;

/** What names a connection. */
export type ConnectionName = Pick<ConnectionCredentials, "team_id" | "user_id" | "provider">;
