import { createPublicKey, type KeyObject, verify } from "node:crypto";
import type { Keyset } from "./replies.ts";

const PREFIX_BYTES = 5;
const COORDINATE_BYTES = 32;
/** Field numbers of the coordinates in the protobuf message of a key. */
const [X, Y] = [3, 4];

/** Reads the key id of a Tink signature: byte 1, then the id as 32-bit big-endian integer. */
export function readKeyId(signature: Buffer): number | undefined {
  return signature.length > PREFIX_BYTES && signature[0] === 1 ? signature.readUInt32BE(1) : undefined;
}

/** Verifies a signature: ECDSA P-256 with SHA-256 in DER encoding, after the Tink prefix. */
export function hasValidSignature(body: string, signature: Buffer, key: KeyObject): boolean {
  return verify("sha256", Buffer.from(body), { key, dsaEncoding: "der" }, signature.subarray(PREFIX_BYTES));
}

/** Parses the enabled keys of a keyset, by id. Skips keys that cannot be parsed. */
export function parseKeyset({ key: keys }: Keyset): Map<number, KeyObject> {
  const inForce = keys.filter(({ status }) => status === "ENABLED");
  return new Map(
    inForce.flatMap(({ keyId, keyData }) => {
      const fields = parseProtobufFields(Buffer.from(keyData.value, "base64"));
      const [x, y] = [fields.get(X), fields.get(Y)].map((bytes) => bytes?.subarray(-COORDINATE_BYTES));
      if (!x || !y) return [];
      const jwk = { kty: "EC", crv: "P-256", x: x.toString("base64url"), y: y.toString("base64url") };
      return [[keyId, createPublicKey({ format: "jwk", key: jwk })] as const];
    }),
  );
}

/** Reads the byte fields of a protobuf message by number. All lengths of this message fit in one byte (up to 127). */
function parseProtobufFields(message: Buffer): Map<number, Buffer> {
  const fields = new Map<number, Buffer>();
  let at = 0;
  while (at + 1 < message.length) {
    const [tag = 0, next = 0] = message.subarray(at, at + 2);
    const isBytes = (tag & 7) === 2;
    if (isBytes) fields.set(tag >> 3, message.subarray(at + 2, at + 2 + next));
    at += isBytes ? 2 + next : 2;
  }
  return fields;
}
