import { createHash, createHmac } from "node:crypto";
import type { AwsCredentials } from "./environment-credentials.ts";

/** A POST request to an AWS service that has no SDK client here. */
interface UnsignedRequest {
  readonly url: URL;
  readonly contentType: string;
  readonly body: string;
  /** Name of the service in the credential scope, for example `sts`. */
  readonly service: string;
  readonly region: string;
  readonly credentials: AwsCredentials;
  /** Epoch ms. */
  readonly nowMs: number;
}

const ALGORITHM = "AWS4-HMAC-SHA256";

/**
 * Returns the headers of a signed POST request without a query (IAM User Guide, "Create a signed AWS API request").
 */
export function signRequest(request: UnsignedRequest): Record<string, string> {
  const { url, body, service, region, credentials, nowMs } = request;
  const time = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const scope = [time.slice(0, 8), region, service, "aws4_request"];
  const token = credentials.sessionToken;
  const headers = {
    "content-type": request.contentType,
    host: url.host,
    "x-amz-date": time,
    ...(token === undefined ? {} : { "x-amz-security-token": token }),
  };
  const names = Object.keys(headers).join(";");
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const canonical = ["POST", url.pathname, "", lines.join(""), names, sha256(body)].join("\n");
  const text = [ALGORITHM, time, scope.join("/"), sha256(canonical)].join("\n");
  const secret: string | Buffer = `AWS4${credentials.secretAccessKey}`;
  const key = scope.reduce((sofar: string | Buffer, part) => hmac(sofar, part).digest(), secret);
  const credential = `${credentials.accessKeyId}/${scope.join("/")}`;
  const signature = hmac(key, text).digest("hex");
  const authorization = `${ALGORITHM} Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...headers, authorization };
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text);
