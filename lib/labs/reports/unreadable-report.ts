/** Why a lab report was not read, as a job tells it (wire, ParsingJob failure_reason). */
export type UnreadableReason = "invalid_input" | "low_quality" | "not_english" | "too_many_pages" | "processing_error";

/** A lab report that can not be read, whatever is tried again. */
export class UnreadableReport extends Error {
  readonly reason: UnreadableReason;
  /** One sentence for the sender; it tells nothing of what the report holds. */
  readonly refusal: string;

  constructor(reason: UnreadableReason, refusal: string) {
    super(refusal);
    this.name = "UnreadableReport";
    this.reason = reason;
    this.refusal = refusal;
  }
}
