/** A standard queue as its template declares it. */
export interface QueueDefinition {
  readonly name: string;
  /** Names the queue for good; messages are kept under it. */
  readonly arn: string;
  /** Where clients address it; may change between starts. */
  readonly url: string;
  readonly visibilityTimeoutS: number;
  readonly delayS: number;
  readonly retentionS: number;
  readonly redrive?: { readonly deadLetterArn: string; readonly maxReceiveCount: number } | undefined;
}
