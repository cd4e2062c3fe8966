import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from "@aws-sdk/client-kms";
import type { DataKeyProvider, EncryptionContext } from "../../crypto/envelope-encryption.ts";
import { oncePerContainer } from "../container.ts";

const kms = oncePerContainer(() => new KMSClient({}));

/** Data keys under one KMS key. KMS checks and logs the context of a secret as its encryption context. */
export function kmsDataKeys(keyArn: string): DataKeyProvider {
  return {
    async generate(context: EncryptionContext) {
      const input = { KeyId: keyArn, KeySpec: "AES_256", EncryptionContext: { ...context } } as const;
      const { Plaintext, CiphertextBlob } = await kms().send(new GenerateDataKeyCommand(input));
      if (!Plaintext || !CiphertextBlob) throw new Error("KMS returned no data key");
      return { plain: Plaintext, wrapped: CiphertextBlob };
    },
    async unwrap(wrapped, context) {
      const input = { KeyId: keyArn, CiphertextBlob: wrapped, EncryptionContext: { ...context } };
      const { Plaintext } = await kms().send(new DecryptCommand(input));
      if (!Plaintext) throw new Error("KMS returned no key");
      return Plaintext;
    },
  };
}
