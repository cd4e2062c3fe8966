/** A failed state, with the error name that `Retry` and `Catch` match (States Language, "Errors"). */
export class StateFailure extends Error {
  override readonly name = "StateFailure";
  readonly error: string | undefined;

  /**
   * @param error the error name; optional in a Fail state.
   * @param detail the `Cause`.
   */
  constructor(error: string | undefined, detail?: string) {
    super(detail ?? "");
    this.error = error;
  }

  /** A failure that no state can handle: the data does not match the definition, or the definition is invalid. */
  static runtime(detail: string): StateFailure {
    return new StateFailure("States.Runtime", detail);
  }

  /** Converts any thrown value. A value other than a StateFailure becomes a runtime failure. */
  static of(thrown: unknown): StateFailure {
    return thrown instanceof StateFailure ? thrown : StateFailure.runtime(String(thrown));
  }
}
