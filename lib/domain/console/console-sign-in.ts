import * as z from "zod";

/** Time to live of a sign-in: until the provider sends the browser back. */
export const CONSOLE_SIGN_IN_TTL_MS = 10 * 60 * 1000;

/**
 * A sign-in that waits for its provider, stored under the hash of its `state`. The code verifier and the nonce follow
 * from the secret in the cookie of the browser, so the table holds nothing with which somebody else could finish it.
 */
export const consoleSignIn = z.object({
  team_id: z.string(),
  /** Hash of the secret in the cookie of the browser that began. */
  browser: z.string(),
  /** The key of the provider at the beginning. A provider that was replaced since finishes no sign-in. */
  key_id: z.string(),
  /** Where the person wanted to go, encrypted under the secret of the browser: it may name a user. */
  return_to: z.string(),
  /** ISO 8601. */
  ends_at: z.string(),
  used_at: z.string().optional(),
});

/** The console itself. */
const HOME = "/console";

/**
 * A place in the console, which the page opens after a sign-in. Path segments only: nothing that a browser could read
 * as another origin.
 */
export const returnTo = z
  .string()
  .max(500)
  .regex(/^\/console(\/[\w-]+)*$/, "A path of the console, such as /console/users")
  .default(HOME);
