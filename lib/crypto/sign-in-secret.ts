import { createHmac } from "node:crypto";
import { decryptBytes, encryptBytes } from "./encrypted-bytes.ts";

/** Derives a value for one use from the secret of a browser (HMAC-SHA-256; NIST SP 800-108, section 4.1). */
const derive = (secret: string, use: string): Buffer => createHmac("sha256", secret).update(use).digest();

/** The PKCE code verifier of a sign-in (RFC 7636, section 4.1). @param secret 256 random bits in the browser's cookie. */
export const codeVerifierOf = (secret: string): string => derive(secret, "code_verifier").toString("base64url");

/** The nonce of a sign-in (OpenID Connect Core 1.0, section 3.1.2.1). */
export const nonceOf = (secret: string): string => derive(secret, "nonce").toString("base64url");

/** Encrypts a text that only the browser with the secret reads again. @param record what the text belongs to. */
export const sealForBrowser = (secret: string, text: string, record: string): string =>
  Buffer.from(encryptBytes(derive(secret, "text"), Buffer.from(text), [record])).toString("base64");

/** Decrypts a text of {@link sealForBrowser}. @throws for another secret or record. */
export const openForBrowser = (secret: string, sealed: string, record: string): string =>
  Buffer.from(decryptBytes(derive(secret, "text"), Buffer.from(sealed, "base64"), [record])).toString();
