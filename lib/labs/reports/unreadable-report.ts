/** Reasons for which a lab report is unreadable; values of `failure_reason` of a ParsingJob. */
export type UnreadableReason = "invalid_input" | "low_quality" | "not_english" | "too_many_pages" | "processing_error";

/** A permanently unreadable lab report. */
export class UnreadableReport extends Error {
  readonly reason: UnreadableReason;
  /** One sentence for the sender, without any content of the report. */
  readonly refusal: string;

  constructor(reason: UnreadableReason, refusal: string) {
    super(refusal);
    this.name = "UnreadableReport";
    this.reason = reason;
    this.refusal = refusal;
  }
}
