/** One thing a caller must be allowed to do for its request to pass. */
export interface Permission {
  /** IAM action, for example `dynamodb:PutItem`. */
  readonly action: string;
  /** ARN. */
  readonly resource: string;
  /** Values of the partition key that the request touches, where the action has `dynamodb:LeadingKeys`. */
  readonly leadingKeys?: readonly string[];
}
