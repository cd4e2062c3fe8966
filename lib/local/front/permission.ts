import { type ConditionContext, LEADING_KEYS } from "./conditions.ts";

/** One thing a caller must be allowed to do for its request to pass. */
export interface Permission {
  /** IAM action, for example `dynamodb:PutItem`. */
  readonly action: string;
  /** ARN. */
  readonly resource: string;
  /** Values of the partition key that the request touches, where the action has `dynamodb:LeadingKeys`. */
  readonly leadingKeys?: readonly string[];
  /** What the names begin with that a listing of a bucket asks for; S3 gives the key only where a request has it. */
  readonly prefix?: string;
  /** The encryption context that comes with a request to KMS. */
  readonly encryptionContext?: Readonly<Record<string, string>>;
}

/** What conditions may ask about a permission. */
export const conditionContext = ({ leadingKeys, prefix, encryptionContext = {} }: Permission): ConditionContext => ({
  ...(leadingKeys ? { [LEADING_KEYS]: leadingKeys } : {}),
  ...(prefix === undefined ? {} : { "s3:prefix": [prefix] }),
  ...Object.fromEntries(
    Object.entries(encryptionContext).map(([key, value]) => [`kms:encryptioncontext:${key.toLowerCase()}`, [value]]),
  ),
});
