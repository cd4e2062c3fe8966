import { sha256 } from "../../../crypto/api-key.ts";
import { LINK_ATTEMPT_TTL_MS } from "../../../domain/connections/link/link-attempt.ts";
import { baseUrl } from "../../../runtime/wire-source.ts";

/** Length of the state hash in cookie names, which distinguishes the attempts in one browser. */
const STATE_HASH_CHARACTERS = 16;

/**
 * Browsers reject `Secure` cookies over the plain HTTP of a local start, and `__Host-` names without `Secure`
 * (RFC 6265bis, 4.1.3.2).
 */
const isSecure = () => baseUrl().startsWith("https:");

const cookieName = (state: string) =>
  `${isSecure() ? "__Host-" : ""}tributary-oauth-${sha256(state).slice(0, STATE_HASH_CHARACTERS)}`;

const cookie = (state: string, value: string, maxAgeS: number) =>
  [
    `${cookieName(state)}=${value}`,
    "Path=/",
    `Max-Age=${maxAgeS}`,
    "HttpOnly",
    "SameSite=Lax",
    ...(isSecure() ? ["Secure"] : []),
  ].join("; ");

/** The cookie that binds an attempt to the browser that started it. Each attempt has its own cookie. */
export const browserCookie = (state: string, secret: string) => cookie(state, secret, LINK_ATTEMPT_TTL_MS / 1000);

/** An expired cookie, with which the browser deletes the cookie of a finished attempt. */
export const expiredBrowserCookie = (state: string) => cookie(state, "", 0);

/** The secret of an attempt in the cookies of a browser; undefined if another browser started the attempt. */
export function browserSecret(cookies: readonly string[], state: string): string | undefined {
  const start = `${cookieName(state)}=`;
  return cookies.find((pair) => pair.startsWith(start))?.slice(start.length) || undefined;
}
