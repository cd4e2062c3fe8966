import { createHash, createHmac } from "node:crypto";
import { AwsError } from "./aws-error.ts";
import type { IncomingRequest } from "./aws-request.ts";

/** The parts of the Authorization header of a signed request. */
interface Authorization {
  readonly accessKeyId: string;
  /** Date, region, service and terminator. */
  readonly scope: readonly string[];
  readonly signedHeaders: string;
  readonly signature: string;
}

const AUTHORIZATION = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/;

/** Parses the Authorization header of a request; undefined without one of Signature Version 4. */
export function parseAuthorization({ headers }: Pick<IncomingRequest, "headers">): Authorization | undefined {
  const [, accessKeyId, scope, signedHeaders, signature] = AUTHORIZATION.exec(headers.authorization ?? "") ?? [];
  if (!accessKeyId || !scope || !signedHeaders || !signature) return undefined;
  return { accessKeyId, scope: scope.split("/"), signedHeaders, signature };
}

/**
 * Verifies the signature of a request without a query (IAM User Guide, "Create a signed AWS API request").
 * @param secret the secret access key of the signer.
 * @throws AwsError 403 when the request is unsigned or was altered.
 */
export function requireSignature(request: IncomingRequest, secret: string): void {
  const parsed = parseAuthorization(request);
  const { method, path, headers, raw } = request;
  if (parsed) {
    const { scope, signedHeaders } = parsed;
    const lines = signedHeaders.split(";").map((name) => `${name}:${headers[name] ?? ""}`);
    const payload = createHash("sha256").update(raw).digest("hex");
    const canonical = [method, path, "", ...lines, "", signedHeaders, payload].join("\n");
    const time = headers["x-amz-date"]?.toString() ?? "";
    if (parsed.signature === signCanonicalRequest(canonical, { time, scope, secret })) return;
  }
  throw new AwsError(403, "SignatureDoesNotMatch", "the signature does not match the request");
}

/** Signs a canonical request. @returns the signature in hexadecimal. */
export function signCanonicalRequest(
  canonical: string,
  { time, scope, secret }: { readonly time: string; readonly scope: readonly string[]; readonly secret: string },
): string {
  const digest = createHash("sha256").update(canonical).digest("hex");
  const text = ["AWS4-HMAC-SHA256", time, scope.join("/"), digest].join("\n");
  const key = scope.reduce<string | Buffer>((sofar, part) => hmac(sofar, part).digest(), `AWS4${secret}`);
  return hmac(key, text).digest("hex");
}

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text);
