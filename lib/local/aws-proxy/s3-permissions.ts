import { AwsError } from "./aws-error.ts";
import type { AwsRequest } from "./aws-request.ts";
import type { Permission } from "./permission.ts";

const objectActions: Readonly<Record<string, string>> = {
  GET: "s3:GetObject",
  HEAD: "s3:GetObject",
  PUT: "s3:PutObject",
  DELETE: "s3:DeleteObject",
};

const bucketActions: Readonly<Record<string, string>> = { GET: "s3:ListBucket", HEAD: "s3:ListBucket" };

/** Query parameters that do not change the operation of the HTTP method. Others, such as `?acl`, select another one. */
const plainParameters =
  /^(x-id|list-type|prefix|delimiter|max-keys|continuation-token|start-after|encoding-type|fetch-owner|response-.*)$/;

/**
 * Lists the permissions of a path-style S3 request (Service authorization reference, "Amazon S3").
 * @throws AwsError for any operation other than reading, writing, deleting and listing objects.
 */
export function s3Permissions({ method, path, headers }: AwsRequest): Permission[] {
  const url = new URL(path, "http://s3");
  const [bucket = "", ...key] = url.pathname.slice(1).split("/").map(decodeURIComponent);
  const arn = `arn:aws:s3:::${bucket}`;
  const hasKey = key.join("/") !== "";
  const action = (hasKey ? objectActions : bucketActions)[method];
  const isPlain = [...url.searchParams.keys()].every((name) => plainParameters.test(name));
  if (bucket === "" || action === undefined || !isPlain || headers["x-amz-copy-source"] !== undefined) {
    throw new AwsError(400, "NotImplemented", `the local cloud does not support ${method} ${path}`);
  }
  if (hasKey) return [{ action, resource: `${arn}/${key.join("/")}` }];
  const prefix = url.searchParams.get("prefix");
  return [{ action, resource: arn, ...(prefix === null ? {} : { prefix }) }];
}
