/** What a stable code means, and what helps: a sentence each, in Markdown. */
export interface ErrorHelp {
  readonly cause: string;
  readonly remedy: string;
}
