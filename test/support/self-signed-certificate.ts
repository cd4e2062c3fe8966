import { generateKeyPairSync, sign } from "node:crypto";

const SHA256_WITH_ECDSA = [0x30, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
const COMMON_NAME = [0x06, 0x03, 0x55, 0x04, 0x03];

/** Encodes a DER value: tag, length, content. */
function der(tag: number, ...parts: (Uint8Array | readonly number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const { length } = content;
  const lengthBytes = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content]);
}

const generalizedTime = (at: Date) => der(0x18, Buffer.from(at.toISOString().replace(/[-:T]|\.\d+/g, "")));

/** Creates a key and a self-signed certificate (RFC 5280), PEM. */
export function createSelfSignedCertificate(name: string, from: Date, until: Date): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const subject = der(0x30, der(0x31, der(0x30, COMMON_NAME, der(0x0c, Buffer.from(name)))));
  const validity = der(0x30, generalizedTime(from), generalizedTime(until));
  const subjectKey = publicKey.export({ type: "spki", format: "der" });
  const content = der(0x30, der(0x02, [1]), SHA256_WITH_ECDSA, subject, validity, subject, subjectKey);
  const signature = sign("sha256", content, privateKey);
  const certificate = der(0x30, content, SHA256_WITH_ECDSA, der(0x03, [0], signature)).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.match(/.{1,64}/g)?.join("\n")}\n-----END CERTIFICATE-----\n`,
  };
}
