import { timingSafeEqual } from "node:crypto";
import { sha256 } from "./api-key.ts";

/** Random bytes of every token. */
const SECRET_BYTES = 32;
/** Bytes of a UUID. */
const ID_BYTES = 16;

/** Prefix of a one-time token: link token, sign-in token, OAuth ticket, OAuth state. */
export type TokenPrefix = "lt" | "si" | "ot" | "os";

/** Generates a token of 256 random bits. @returns the token and its hash to store. */
export function generateToken(prefix: TokenPrefix, bytes: (length: number) => Buffer) {
  const token = `${prefix}_${bytes(SECRET_BYTES).toString("base64url")}`;
  return { token, sha256: sha256(token) };
}

/** The session that a session token belongs to. */
export interface SessionReference {
  readonly team_id: string;
  readonly user_id: string;
  readonly session_id: string;
}

/** Prefix of a session token: access token, refresh token. */
export type SessionTokenKind = "sa" | "sr";

/** Generates a token that contains its session's ids, so that the session of a consumed token is still known. */
export function generateSessionToken(
  kind: SessionTokenKind,
  name: SessionReference,
  bytes: (length: number) => Buffer,
) {
  const ids = [name.team_id, name.user_id, name.session_id].map((id) => Buffer.from(id.replaceAll("-", ""), "hex"));
  const token = `${kind}_${Buffer.concat([...ids, bytes(SECRET_BYTES)]).toString("base64url")}`;
  return { token, sha256: sha256(token) };
}

/** Returns the session of a well-formed token; otherwise undefined. */
export function parseSessionToken(kind: SessionTokenKind, token: string): SessionReference | undefined {
  if (!token.startsWith(`${kind}_`)) return undefined;
  const content = Buffer.from(token.slice(kind.length + 1), "base64url");
  if (content.length !== 3 * ID_BYTES + SECRET_BYTES) return undefined;
  const idAt = (place: number) => content.toString("hex", place * ID_BYTES, (place + 1) * ID_BYTES);
  return { team_id: uuid(idAt(0)), user_id: uuid(idAt(1)), session_id: uuid(idAt(2)) };
}

/** Compares a token with a stored hash in constant time. */
export function verifyToken(token: string, storedSha256: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(token), "hex"), Buffer.from(storedSha256, "hex"));
}

const uuid = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
