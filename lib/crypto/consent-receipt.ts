import { createHash, createPrivateKey, generateKeyPairSync, sign } from "node:crypto";

/** Type of a receipt in its protected header. It keeps a receipt from being taken for another JWS. */
const RECEIPT_TYPE = "consent-receipt+jwt";

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/**
 * Generates a key pair on the curve P-256 for ES256 (RFC 7518, section 3.4).
 * @returns the public key as a JSON Web Key whose id is its thumbprint (RFC 7638), and the private key in PEM.
 */
export function generateSigningKey() {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  // RFC 7638 fixes these members and their order.
  const kid = createHash("sha256")
    .update(JSON.stringify({ crv: "P-256", kty: "EC", x, y }))
    .digest("base64url");
  const jwk = { kty: "EC", crv: "P-256", x, y, kid, alg: "ES256", use: "sig" } as const;
  return { jwk, privatePem: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

/**
 * Signs a receipt as a JWS in compact form (RFC 7515) with ES256.
 * @param keysUrl address of the public keys, for the header `jku`.
 */
export function signReceipt(payload: object, key: { kid: string; keysUrl: string; privatePem: string }): string {
  const header = { alg: "ES256", typ: RECEIPT_TYPE, kid: key.kid, jku: key.keysUrl };
  const content = `${encode(header)}.${encode(payload)}`;
  const options = { key: createPrivateKey(key.privatePem), dsaEncoding: "ieee-p1363" } as const;
  return `${content}.${sign("sha256", Buffer.from(content), options).toString("base64url")}`;
}

/**
 * Returns the id of the consent behind a connection. The connection determines it, so that its end finds it.
 * @param connectedOn creation of the connection, ISO 8601.
 */
export function consentIdOf(connection: { user_id: string; provider: string }, connectedOn: string): string {
  const time = Date.parse(connectedOn).toString(16).padStart(12, "0");
  const name = JSON.stringify([connection.user_id, connection.provider, connectedOn]);
  return `cns_${time}${createHash("sha256").update(name).digest("hex").slice(0, 20)}`;
}
