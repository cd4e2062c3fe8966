import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Prefix of a key: environment and region for team keys, `mg` for management keys, `at` for access tokens, `lab` for
 * laboratories.
 */
export type ApiKeyPrefix = "sk_us" | "sk_eu" | "pk_us" | "pk_eu" | "mg" | "at" | "lab";

const form = /^((?:[sp]k_(?:us|eu)|mg|at|lab)_[0-9a-z]{8})_([A-Za-z0-9_-]{43})_([0-9a-f]{6})$/;

/**
 * Returns the SHA-256 of a text in hex. It is sufficient for secrets of 256 random bits: a slow hash would add no
 * security.
 */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const ALPHABET = "0123456789abcdefghijklmnopqrstuv";

/**
 * Generates a key: `<prefix>_<8 characters of id>_<256 bits, base64url>_<6 characters of checksum>`.
 * @returns the key, to be shown once, and its stored fields.
 */
export function generateApiKey(prefix: ApiKeyPrefix, bytes: (length: number) => Buffer) {
  const id = `${prefix}_${[...bytes(8)].map((byte) => ALPHABET[byte & 31]).join("")}`;
  const secret = `${id}_${bytes(32).toString("base64url")}`;
  const key = `${secret}_${sha256(secret).slice(0, 6)}`;
  return { key, ...toStoredKey(key) };
}

/** Returns the stored fields of a well-formed key: its id, hash and masked form. */
export function toStoredKey(key: string): { key_id: string; sha256: string; masked: string } {
  const key_id = parseKeyId(key);
  if (key_id === undefined) throw new Error("The key does not have the format of this service.");
  return { key_id, sha256: sha256(key), masked: `${key_id}_…${key.slice(-4)}` };
}

/** Returns the id of a key that is well formed and whose checksum is valid; otherwise undefined. */
export function parseKeyId(key: string): string | undefined {
  const parts = form.exec(key);
  return parts?.[1] && parts[3] === sha256(key.slice(0, -7)).slice(0, 6) ? parts[1] : undefined;
}

/** Compares a key with a stored hash in constant time. */
export function verifyApiKey(key: string, storedSha256: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(key), "hex"), Buffer.from(storedSha256, "hex"));
}
