import { timingSafeEqual } from "node:crypto";
import { sha256 } from "./api-key.ts";

/** Random bytes of every token. */
const SECRET_BYTES = 32;
/** Bytes of a UUID. */
const ID_BYTES = 16;

/** Prefix of a one-time token: link token, sign-in token, OAuth ticket, OAuth state, console ticket, console state. */
export type TokenPrefix = "lt" | "si" | "ot" | "os" | "ct" | "st";

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
  return tokenWithIds(kind, [name.team_id, name.user_id, name.session_id], bytes);
}

/** Returns the session of a well-formed token; otherwise undefined. */
export function parseSessionToken(kind: SessionTokenKind, token: string): SessionReference | undefined {
  const [team_id, user_id, session_id] = readIds(kind, token, 3) ?? [];
  return team_id && user_id && session_id ? { team_id, user_id, session_id } : undefined;
}

/** A console session, which belongs to a team and no user. */
export type ConsoleReference = Omit<SessionReference, "user_id">;

/** Prefix of the token of a console session. */
const CONSOLE_TOKEN = "cs";

/** Generates the token of a console session, which contains the session's ids. */
export const generateConsoleToken = (name: ConsoleReference, bytes: (length: number) => Buffer) =>
  tokenWithIds(CONSOLE_TOKEN, [name.team_id, name.session_id], bytes);

/** Returns the session of a well-formed token; otherwise undefined. */
export function parseConsoleToken(token: string): ConsoleReference | undefined {
  const [team_id, session_id] = readIds(CONSOLE_TOKEN, token, 2) ?? [];
  return team_id && session_id ? { team_id, session_id } : undefined;
}

function tokenWithIds(prefix: string, ids: readonly string[], bytes: (length: number) => Buffer) {
  const parts = ids.map((id) => Buffer.from(id.replaceAll("-", ""), "hex"));
  const token = `${prefix}_${Buffer.concat([...parts, bytes(SECRET_BYTES)]).toString("base64url")}`;
  return { token, sha256: sha256(token) };
}

function readIds(prefix: string, token: string, count: number): string[] | undefined {
  if (!token.startsWith(`${prefix}_`)) return undefined;
  const content = Buffer.from(token.slice(prefix.length + 1), "base64url");
  if (content.length !== count * ID_BYTES + SECRET_BYTES) return undefined;
  return Array.from({ length: count }, (_, place) =>
    uuid(content.toString("hex", place * ID_BYTES, (place + 1) * ID_BYTES)),
  );
}

/** Compares a token with a stored hash in constant time. */
export function verifyToken(token: string, storedSha256: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(token), "hex"), Buffer.from(storedSha256, "hex"));
}

const uuid = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
