import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** First byte of encrypted data. It identifies this layout and distinguishes it from plaintext. */
const FORMAT = 0xe1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/** Bytes that encryption adds. */
export const ENCRYPTION_OVERHEAD_BYTES = HEADER_BYTES;

/**
 * Encrypts bytes with a 32-byte key by AES-256-GCM (NIST SP 800-38D). Nonces are random, so one key may encrypt 2^32
 * times (section 8.3): a value every second for 136 years. Layout: format byte, nonce, tag, ciphertext.
 * @param place associated data. Decryption with other associated data fails.
 */
export function encryptBytes(key: Uint8Array, plain: Uint8Array, place: readonly string[]): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(associatedData(place));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.from([FORMAT]), nonce, cipher.getAuthTag(), sealed]);
}

/** Whether bytes are encrypted, in any format. No other stored value starts with this byte. */
export const isEncrypted = (bytes: Uint8Array): boolean => bytes[0] === FORMAT;

/**
 * Decrypts bytes.
 * @throws if the bytes are not encrypted, were altered, or belong to another key or other associated data.
 */
export function decryptBytes(key: Uint8Array, bytes: Uint8Array, place: readonly string[]): Uint8Array {
  if (bytes[0] !== FORMAT || bytes.length < HEADER_BYTES)
    throw new Error("The bytes are not in a known encryption format.");
  const nonceEnd = 1 + NONCE_BYTES;
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(1, nonceEnd), { authTagLength: TAG_BYTES });
  decipher.setAAD(associatedData(place)).setAuthTag(bytes.subarray(nonceEnd, HEADER_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(HEADER_BYTES)), decipher.final()]);
}

/** JSON keeps lists of texts distinct: provider ids may contain any separator. */
const associatedData = (place: readonly string[]): Buffer => Buffer.from(JSON.stringify(place), "utf8");
