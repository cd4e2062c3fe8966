import { createECDH, createHash, createPrivateKey, sign } from "node:crypto";

/** The signing key of the simulator; constant and public. */
const KEY_ID = 1_789_569_000;
const ecdh = createECDH("prime256v1");
const scalar = createHash("sha256").update("simulated google health signing key").digest();
ecdh.setPrivateKey(scalar);
const point = ecdh.getPublicKey();
const [x, y] = [point.subarray(1, 33), point.subarray(33, 65)];
const toBase64Url = (bytes: Buffer) => bytes.toString("base64url");
const privateKey = createPrivateKey({
  format: "jwk",
  key: { kty: "EC", crv: "P-256", x: toBase64Url(x), y: toBase64Url(y), d: toBase64Url(scalar) },
});

/** Tink prefix of a signature: byte 1, then the key id. */
const prefix = Buffer.alloc(5);
prefix.writeUInt8(1);
prefix.writeUInt32BE(KEY_ID, 1);

/** Signs a body: Tink prefix and DER-encoded ECDSA P-256 signature with SHA-256, base64. */
export function signGooglePush(body: string): string {
  return Buffer.concat([prefix, sign("sha256", Buffer.from(body), privateKey)]).toString("base64");
}

/** The public key as a Tink JSON keyset. */
export function publicKeyset() {
  // Protobuf fields of the key: parameters (SHA-256, P-256, DER), x and y, both with a leading zero byte.
  const coordinate = (field: number, bytes: Buffer) => Buffer.concat([Buffer.from([field, 33, 0]), bytes]);
  const parameters = Buffer.from([0x12, 6, 0x08, 3, 0x10, 2, 0x18, 2]);
  const value = Buffer.concat([parameters, coordinate(0x1a, x), coordinate(0x22, y)]).toString("base64");
  const typeUrl = "type.googleapis.com/google.crypto.tink.EcdsaPublicKey";
  const keyData = { typeUrl, value, keyMaterialType: "ASYMMETRIC_PUBLIC" };
  return { primaryKeyId: KEY_ID, key: [{ keyData, status: "ENABLED", keyId: KEY_ID, outputPrefixType: "TINK" }] };
}
