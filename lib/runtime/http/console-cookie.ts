import { baseUrl } from "../wire-source.ts";

/**
 * Browsers reject `Secure` cookies over the plain HTTP of a local start, and `__Host-` names without `Secure`. The
 * prefix keeps other hosts of the domain from setting the cookie (RFC 6265bis, 4.1.3.2).
 */
const isSecure = () => baseUrl().startsWith("https:");
const cookieName = () => `${isSecure() ? "__Host-" : ""}tributary_console`;

const cookie = (value: string, maxAgeS: number) =>
  [
    `${cookieName()}=${value}`,
    "Path=/",
    `Max-Age=${maxAgeS}`,
    "HttpOnly",
    "SameSite=Strict",
    ...(isSecure() ? ["Secure"] : []),
  ].join("; ");

/** The cookie of a console session. Scripts cannot read it, and browsers send it from pages of this site only. */
export const consoleCookie = (token: string, maxAgeS: number) => cookie(token, maxAgeS);

/** An expired cookie, with which the browser deletes that of a session. */
export const expiredConsoleCookie = () => cookie("", 0);

/** The token of a console session in the cookies of a request. */
export function consoleToken(cookies: readonly string[]): string | undefined {
  const start = `${cookieName()}=`;
  return cookies.find((pair) => pair.startsWith(start))?.slice(start.length) || undefined;
}
