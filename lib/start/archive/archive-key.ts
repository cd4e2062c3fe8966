import { hkdfSync, randomBytes } from "node:crypto";
import { CompactEncrypt, compactDecrypt, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import { AdminRefused } from "../admin-refused.ts";

/** Key agreement with the recipient's key, and the cipher of the archive's key (RFC 7518, 4.6 and 5.3; RFC 8037). */
const ALGORITHM = "ECDH-ES+A256KW";
const HEADER = { alg: ALGORITHM, enc: "A256GCM" } as const;
const KEY_BYTES = 32;

/** What a key derived from the archive's key is for. */
type Purpose = "parts" | "secrets" | "manifest";

/** The random key of one archive, from which a key for each purpose derives (HKDF, RFC 5869). */
export class ArchiveKey {
  readonly #bytes: Uint8Array;

  private constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  static generate(): ArchiveKey {
    return new ArchiveKey(randomBytes(KEY_BYTES));
  }

  /**
   * Decrypts the key of an archive. @param identity the private key of the recipient, as JWK.
   * @throws AdminRefused if it is not the key for which the archive was made.
   */
  static async unseal(sealed: string, identity: JWK): Promise<ArchiveKey> {
    try {
      return new ArchiveKey((await compactDecrypt(sealed, await importJWK(identity, ALGORITHM))).plaintext);
    } catch (error) {
      throw new AdminRefused("the archive was made for another key than this identity", { cause: error });
    }
  }

  /** Encrypts the key for a recipient. @param recipient a public key, as JWK. @throws AdminRefused for another key. */
  async seal(recipient: JWK): Promise<string> {
    if (recipient.d !== undefined) throw new AdminRefused("the recipient is a private key: give its public key");
    try {
      return await new CompactEncrypt(this.#bytes)
        .setProtectedHeader(HEADER)
        .encrypt(await importJWK(recipient, ALGORITHM));
    } catch (error) {
      throw new AdminRefused("the recipient is no public key of X25519 or a NIST curve", { cause: error });
    }
  }

  derive(purpose: Purpose): Uint8Array {
    return new Uint8Array(hkdfSync("sha256", this.#bytes, "", `archive ${purpose}`, KEY_BYTES));
  }
}

/** Generates the keys of a recipient: who has the identity can read every archive for the recipient. */
export async function createArchiveKeys(): Promise<{ readonly identity: JWK; readonly recipient: JWK }> {
  const { privateKey, publicKey } = await generateKeyPair(ALGORITHM, { crv: "X25519", extractable: true });
  return { identity: await exportJWK(privateKey), recipient: await exportJWK(publicKey) };
}
