import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import * as z from "zod";
import { AwsError } from "../aws-proxy/aws-error.ts";
import type { Engine } from "../aws-proxy/engine-router.ts";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const context = z.record(z.string(), z.string()).default({});
const generateRequest = z.object({ KeyId: z.string(), KeySpec: z.literal("AES_256"), EncryptionContext: context });
const decryptRequest = z.object({ KeyId: z.string(), CiphertextBlob: z.base64(), EncryptionContext: context });

/**
 * Implements GenerateDataKey and Decrypt of KMS with one local master key. Data keys are wrapped with AES-256-GCM; key
 * id and encryption context are the associated data, so a wrong context is rejected as in KMS.
 * @param keyPath file of the master key, created at the first use and readable only by its owner.
 */
export function createKmsEngine(keyPath: string): Engine {
  if (!existsSync(keyPath)) writeFileSync(keyPath, randomBytes(32), { mode: 0o600 });
  const master = readFileSync(keyPath);
  return async (operation, body) => {
    if (operation === "GenerateDataKey") {
      const { KeyId, EncryptionContext } = generateRequest.parse(body);
      const plain = randomBytes(32);
      const wrapped = wrap(master, plain, associatedData(KeyId, EncryptionContext));
      return { KeyId, Plaintext: plain.toString("base64"), CiphertextBlob: wrapped.toString("base64") };
    }
    if (operation === "Decrypt") {
      const { KeyId, CiphertextBlob, EncryptionContext } = decryptRequest.parse(body);
      const plain = unwrap(master, Buffer.from(CiphertextBlob, "base64"), associatedData(KeyId, EncryptionContext));
      return { KeyId, Plaintext: plain.toString("base64"), EncryptionAlgorithm: "SYMMETRIC_DEFAULT" };
    }
    throw new AwsError(400, "UnknownOperationException", `the local KMS does not support ${operation}`);
  };
}

function associatedData(keyId: string, encryptionContext: Record<string, string>): Buffer {
  const sorted = Object.entries(encryptionContext).sort(([a], [b]) => (a < b ? -1 : 1));
  return Buffer.from(JSON.stringify([keyId, sorted]));
}

function wrap(master: Buffer, plain: Buffer, data: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", master, nonce).setAAD(data);
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

function unwrap(master: Buffer, wrapped: Buffer, data: Buffer): Buffer {
  try {
    const tagEnd = NONCE_BYTES + TAG_BYTES;
    const decipher = createDecipheriv("aes-256-gcm", master, wrapped.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(data).setAuthTag(wrapped.subarray(NONCE_BYTES, tagEnd));
    return Buffer.concat([decipher.update(wrapped.subarray(tagEnd)), decipher.final()]);
  } catch {
    throw new AwsError(
      400,
      "InvalidCiphertextException",
      "the ciphertext does not match this key and encryption context",
    );
  }
}
