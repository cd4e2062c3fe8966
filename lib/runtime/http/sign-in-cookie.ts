import { sha256 } from "../../crypto/api-key.ts";
import { CONSOLE_SIGN_IN_TTL_MS } from "../../domain/console/console-sign-in.ts";
import { findHostCookie, hostCookie } from "./console-cookie.ts";

/** Length of the hash of the state in names of cookies, which distinguishes the sign-ins in one browser. */
const STATE_HASH_CHARACTERS = 16;

const nameOf = (state: string) => `tributary_sign_in_${sha256(state).slice(0, STATE_HASH_CHARACTERS)}`;

/**
 * The cookie that binds a sign-in to the browser that began it. It is strict: the page, not the redirect of the provider,
 * sends it back.
 */
export const signInCookie = (state: string, secret: string) =>
  hostCookie(nameOf(state), secret, CONSOLE_SIGN_IN_TTL_MS / 1000);

/** An expired cookie, with which the browser deletes that of a sign-in. */
export const expiredSignInCookie = (state: string) => hostCookie(nameOf(state), "", 0);

/** The secret of a sign-in in the cookies of a request; undefined if another browser began it. */
export const signInSecret = (cookies: readonly string[], state: string) => findHostCookie(nameOf(state), cookies);
