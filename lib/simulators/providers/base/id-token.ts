import { CLIENT_ID } from "./application.ts";
import type { IssuedTokens } from "./token-store.ts";

const encode = (part: object | string): string =>
  Buffer.from(typeof part === "string" ? part : JSON.stringify(part)).toString("base64url");

/**
 * Creates an ID token (OpenID Connect Core, section 2). The signature is a placeholder: a client that received the token
 * from the token endpoint need not check it (section 3.1.3.7).
 */
export function createIdToken(issuer: string, subject: string, { issuedMs, expiresInS }: IssuedTokens): string {
  const iat = Math.floor(issuedMs / 1000);
  const claims = { iss: issuer, sub: subject, aud: CLIENT_ID, iat, exp: iat + (expiresInS ?? 3_600) };
  return [encode({ alg: "RS256", typ: "JWT" }), encode(claims), encode("signature")].join(".");
}
