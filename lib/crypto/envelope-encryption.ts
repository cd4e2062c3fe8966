import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** Encryption context of a secret. Decryption under another context fails. */
export interface EncryptionContext {
  readonly purpose: string;
  readonly team_id: string;
  readonly record: string;
  readonly field: string;
}

/** Generates and unwraps data keys. KMS, both deployed and locally. */
export interface DataKeyProvider {
  generate(context: EncryptionContext): Promise<{ plain: Uint8Array; wrapped: Uint8Array }>;
  unwrap(wrapped: Uint8Array, context: EncryptionContext): Promise<Uint8Array>;
}

const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Unwrapped data keys that a container caches, so that a busy endpoint does not cost one KMS request for each message.
 */
const MAX_CACHED_DATA_KEYS = 200;

/**
 * Envelope encryption: one data key for each secret, wrapped by KMS; AES-256-GCM with the context as associated data
 * (NIST SP 800-38D). A ciphertext moved to another record, field or team does not decrypt. Layout, base64: format byte,
 * 2-byte length of the wrapped key, wrapped key, nonce, tag, ciphertext.
 */
export class EnvelopeEncryption {
  readonly #keys: DataKeyProvider;
  readonly #unwrapped = new Map<string, Uint8Array>();

  constructor(keys: DataKeyProvider) {
    this.#keys = keys;
  }

  async encrypt(secret: string, context: EncryptionContext): Promise<string> {
    const { plain, wrapped } = await this.#keys.generate(context);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", plain, nonce).setAAD(associatedData(context));
    const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
    const header = Buffer.from([FORMAT, wrapped.length >> 8, wrapped.length & 255]);
    return Buffer.concat([header, wrapped, nonce, cipher.getAuthTag(), sealed]).toString("base64");
  }

  /** Decrypts a secret. @throws if the text is no envelope, was altered, or was encrypted under another context. */
  async decrypt(envelope: string, context: EncryptionContext): Promise<string> {
    const bytes = Buffer.from(envelope, "base64");
    if (bytes[0] !== FORMAT) throw new Error("The secret is not in a known envelope format.");
    const nonceAt = 3 + bytes.readUInt16BE(1);
    const tagAt = nonceAt + NONCE_BYTES;
    const plain = await this.#unwrap(bytes.subarray(3, nonceAt), context);
    const decipher = createDecipheriv("aes-256-gcm", plain, bytes.subarray(nonceAt, tagAt), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(associatedData(context)).setAuthTag(bytes.subarray(tagAt, tagAt + TAG_BYTES));
    return decipher.update(bytes.subarray(tagAt + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  }

  async #unwrap(wrapped: Uint8Array, context: EncryptionContext): Promise<Uint8Array> {
    const name = `${associatedData(context)}|${Buffer.from(wrapped).toString("base64")}`;
    const known = this.#unwrapped.get(name);
    if (known) return known;
    const plain = await this.#keys.unwrap(wrapped, context);
    if (this.#unwrapped.size >= MAX_CACHED_DATA_KEYS) this.#unwrapped.clear();
    this.#unwrapped.set(name, plain);
    return plain;
  }
}

function associatedData(context: EncryptionContext): Buffer {
  return Buffer.from([context.purpose, context.team_id, context.record, context.field].join("|"), "utf8");
}
