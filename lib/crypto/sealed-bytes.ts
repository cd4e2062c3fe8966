import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** The first byte of what is sealed: tells this layout from later ones, and from bytes that were never sealed. */
const FORMAT = 0xe1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/** How many bytes sealing adds. */
export const SEAL_BYTES = HEAD_BYTES;

/**
 * Seals bytes with a key of 32 bytes by AES-256-GCM (NIST SP 800-38D), for one place alone. Nonces are drawn, so one key
 * may seal 2^32 times (8.3 there): a value every second for 136 years.
 * Layout: format byte, nonce, tag, ciphertext.
 * @param place what the bytes are bound to; opening them for anything else fails.
 */
export function sealBytes(key: Uint8Array, plain: Uint8Array, place: readonly string[]): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(associatedData(place));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.from([FORMAT]), nonce, cipher.getAuthTag(), sealed]);
}

/** Whether bytes are sealed, in whatever format: nothing else that is stored begins with this byte. */
export const isSealed = (bytes: Uint8Array): boolean => bytes[0] === FORMAT;

/** @throws when the bytes are not sealed, were altered, or were sealed for another place or by another key. */
export function openBytes(key: Uint8Array, bytes: Uint8Array, place: readonly string[]): Uint8Array {
  if (bytes[0] !== FORMAT || bytes.length < HEAD_BYTES) throw new Error("not sealed in a known format");
  const nonceEnd = 1 + NONCE_BYTES;
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(1, nonceEnd), { authTagLength: TAG_BYTES });
  decipher.setAAD(associatedData(place)).setAuthTag(bytes.subarray(nonceEnd, HEAD_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES)), decipher.final()]);
}

/** As JSON, in which no two lists of texts are the same: ids of providers may hold any separator. */
const associatedData = (place: readonly string[]): Buffer => Buffer.from(JSON.stringify(place), "utf8");
