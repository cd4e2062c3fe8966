import { baseUrl } from "../wire-source.ts";

/**
 * Browsers reject `Secure` cookies over the plain HTTP of a local start, and `__Host-` names without `Secure`. The
 * prefix keeps other hosts of the domain from setting the cookie (RFC 6265bis, 4.1.3.2).
 */
const isSecure = () => baseUrl().startsWith("https:");
const hostName = (name: string) => `${isSecure() ? "__Host-" : ""}${name}`;

/** A cookie of this host alone. Scripts cannot read it, and browsers send it from pages of this site only. */
export const hostCookie = (name: string, value: string, maxAgeS: number) =>
  [
    `${hostName(name)}=${value}`,
    "Path=/",
    `Max-Age=${maxAgeS}`,
    "HttpOnly",
    "SameSite=Strict",
    ...(isSecure() ? ["Secure"] : []),
  ].join("; ");

/** The value of a cookie of this host in the cookies of a request. */
export function findHostCookie(name: string, cookies: readonly string[]): string | undefined {
  const start = `${hostName(name)}=`;
  return cookies.find((pair) => pair.startsWith(start))?.slice(start.length) || undefined;
}

const SESSION = "tributary_console";

/** The cookie of a console session. */
export const consoleCookie = (token: string, maxAgeS: number) => hostCookie(SESSION, token, maxAgeS);

/** An expired cookie, with which the browser deletes that of a session. */
export const expiredConsoleCookie = () => hostCookie(SESSION, "", 0);

/** The token of a console session in the cookies of a request. */
export const consoleToken = (cookies: readonly string[]) => findHostCookie(SESSION, cookies);
