import { createPublicKey, type KeyObject, verify } from "node:crypto";
import type { Keyset } from "./replies.ts";

const PREFIX_BYTES = 5;
const COORDINATE_BYTES = 32;
/** Fields of a key as a protocol buffer. */
const [X, Y] = [3, 4];

/** The key of a set by which a body was signed: the signature begins with 1 and the key's id. */
export function keyIdOf(signature: Buffer): number | undefined {
  return signature.length > PREFIX_BYTES && signature[0] === 1 ? signature.readUInt32BE(1) : undefined;
}

/** Whether a body was signed by a key: ECDSA over P-256 with SHA-256, in DER, after the prefix. */
export function isSigned(body: string, signature: Buffer, key: KeyObject): boolean {
  return verify("sha256", Buffer.from(body), { key, dsaEncoding: "der" }, signature.subarray(PREFIX_BYTES));
}

/** The keys in force of a set, by id; one that can not be read is left out. */
export function keysOf({ key: keys }: Keyset): Map<number, KeyObject> {
  const inForce = keys.filter(({ status }) => status === "ENABLED");
  return new Map(
    inForce.flatMap(({ keyId, keyData }) => {
      const fields = fieldsOf(Buffer.from(keyData.value, "base64"));
      const [x, y] = [fields.get(X), fields.get(Y)].map((bytes) => bytes?.subarray(-COORDINATE_BYTES));
      if (!x || !y) return [];
      const jwk = { kty: "EC", crv: "P-256", x: x.toString("base64url"), y: y.toString("base64url") };
      return [[keyId, createPublicKey({ format: "jwk", key: jwk })] as const];
    }),
  );
}

/** The fields of a protocol buffer that are bytes, by number; none of this one is longer than 127. */
function fieldsOf(message: Buffer): Map<number, Buffer> {
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
