/** A standard queue, as its template declares it. */
export interface QueueDefinition {
  readonly name: string;
  /** Identifies the queue across starts; messages are stored under it. */
  readonly arn: string;
  /** The URL for clients. May change between starts. */
  readonly url: string;
  readonly visibilityTimeoutS: number;
  readonly delayS: number;
  readonly retentionS: number;
  readonly redrive?: { readonly deadLetterArn: string; readonly maxReceiveCount: number } | undefined;
}
