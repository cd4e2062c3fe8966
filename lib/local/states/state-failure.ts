/** Why a state failed, under the error name that `Retry` and `Catch` match (States Language, "Errors"). */
export class StateFailure extends Error {
  override readonly name = "StateFailure";
  readonly error: string | undefined;

  /**
   * @param error the error name; a Fail state may leave it out.
   * @param detail the `Cause`, in words.
   */
  constructor(error: string | undefined, detail?: string) {
    super(detail ?? "");
    this.error = error;
  }

  /** A failure that no state can handle: the data does not fit the definition, or the definition itself is broken. */
  static runtime(detail: string): StateFailure {
    return new StateFailure("States.Runtime", detail);
  }

  /** Any thrown thing as a failure; what is not one already becomes a runtime failure. */
  static of(thrown: unknown): StateFailure {
    return thrown instanceof StateFailure ? thrown : StateFailure.runtime(String(thrown));
  }
}
