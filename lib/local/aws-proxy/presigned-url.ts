import { AwsError } from "./aws-error.ts";
import type { AwsRequest } from "./aws-request.ts";
import { signCanonicalRequest } from "./signature.ts";

const SIGNATURE = "X-Amz-Signature";

/** Whether a request is a presigned URL, with its signature in the query string. */
export function isPresigned({ service, path }: AwsRequest): boolean {
  return service === "s3" && new URL(path, "http://s3").searchParams.has(SIGNATURE);
}

/**
 * Verifies a presigned URL (S3 API reference, "Authenticating Requests: Using Query Parameters").
 * @param nowMs the local cloud's time, epoch ms.
 * @param secret the secret access key of the signer.
 * @returns the signed request without the signature parameters.
 * @throws AwsError 403 when the URL has expired or was altered.
 */
export function verifyPresigned(request: AwsRequest, nowMs: number, secret: string): AwsRequest {
  const url = new URL(request.path, "http://s3");
  if (url.searchParams.get(SIGNATURE) !== computeSignature(request, url, secret)) {
    throw new AwsError(403, "SignatureDoesNotMatch", "the URL or the request was altered after it was signed");
  }
  if (nowMs >= expiresAt(url)) throw new AwsError(403, "AccessDenied", "Request has expired");
  for (const name of [...url.searchParams.keys()]) if (/^x-amz-/i.test(name)) url.searchParams.delete(name);
  return { ...request, path: `${url.pathname}${url.search}` };
}

/** Expiry of a presigned URL, epoch ms. */
function expiresAt({ searchParams }: URL): number {
  const signedAt = (searchParams.get("X-Amz-Date") ?? "").replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5");
  return Date.parse(signedAt) + Number(searchParams.get("X-Amz-Expires")) * 1000;
}

/** Computes the expected signature of a request (IAM User Guide, "Create a signed AWS API request"). */
function computeSignature(
  { method, headers }: AwsRequest,
  { pathname, search, searchParams }: URL,
  secret: string,
): string {
  const [, ...scope] = (searchParams.get("X-Amz-Credential") ?? "").split("/");
  const signed = searchParams.get("X-Amz-SignedHeaders") ?? "";
  const query = search.slice(1).split("&");
  const canonical = [
    method,
    pathname,
    query
      .filter((part) => !part.startsWith(`${SIGNATURE}=`))
      .sort()
      .join("&"),
    ...signed.split(";").map((name) => `${name}:${headers[name] ?? ""}`),
    "",
    signed,
    "UNSIGNED-PAYLOAD",
  ].join("\n");
  return signCanonicalRequest(canonical, { time: searchParams.get("X-Amz-Date") ?? "", scope, secret });
}
