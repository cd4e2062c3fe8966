import { type ConditionContext, LEADING_KEYS } from "./conditions.ts";

/** A permission that a request needs. */
export interface Permission {
  /** IAM action, for example `dynamodb:PutItem`. */
  readonly action: string;
  /** ARN. */
  readonly resource: string;
  /** Partition key values of the request, for actions with `dynamodb:LeadingKeys`. */
  readonly leadingKeys?: readonly string[];
  /** Key prefix of a bucket listing. S3 supplies `s3:prefix` only when the request has a prefix. */
  readonly prefix?: string;
  /** Encryption context of a KMS request. */
  readonly encryptionContext?: Readonly<Record<string, string>>;
}

/** The context for the conditions of a statement. */
export const toConditionContext = ({ leadingKeys, prefix, encryptionContext = {} }: Permission): ConditionContext => ({
  ...(leadingKeys ? { [LEADING_KEYS]: leadingKeys } : {}),
  ...(prefix === undefined ? {} : { "s3:prefix": [prefix] }),
  ...Object.fromEntries(
    Object.entries(encryptionContext).map(([key, value]) => [`kms:encryptioncontext:${key.toLowerCase()}`, [value]]),
  ),
});
