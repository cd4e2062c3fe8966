import { sha256 } from "../../crypto/api-key.ts";
import { ATTEMPT_MS } from "../../domain/linking/link-attempt.ts";
import { baseUrl } from "../wire-source.ts";

/** Characters of the hash of a state that tell the cookies of attempts in one browser apart. */
const NAME_CHARACTERS = 16;

/** Browsers take no `Secure` cookie from the plain HTTP of a local start, and no `__Host-` name without it (RFC 6265bis, 4.1.3.2). */
const isSecure = () => baseUrl().startsWith("https:");

const nameOf = (state: string) =>
  `${isSecure() ? "__Host-" : ""}tributary-oauth-${sha256(state).slice(0, NAME_CHARACTERS)}`;

const cookie = (state: string, value: string, maxAgeS: number) =>
  [
    `${nameOf(state)}=${value}`,
    "Path=/",
    `Max-Age=${maxAgeS}`,
    "HttpOnly",
    "SameSite=Lax",
    ...(isSecure() ? ["Secure"] : []),
  ].join("; ");

/** The cookie that binds an attempt to the browser that begins it; each attempt has one of its own. */
export const browserCookie = (state: string, secret: string) => cookie(state, secret, ATTEMPT_MS / 1000);

/** Has a browser drop the cookie of an attempt that is over. */
export const droppedCookie = (state: string) => cookie(state, "", 0);

/** The secret that a browser has for an attempt; undefined for one that has not begun it. */
export function browserSecret(cookies: readonly string[], state: string): string | undefined {
  const start = `${nameOf(state)}=`;
  return cookies.find((pair) => pair.startsWith(start))?.slice(start.length) || undefined;
}
