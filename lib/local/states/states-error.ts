/** An error response of the Step Functions API. `code` is the error name in the API reference. */
export class StatesError extends Error {
  override readonly name = "StatesError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
