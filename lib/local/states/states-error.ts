/** An error that the Step Functions API answers; `code` as on the page of the action in the API reference. */
export class StatesError extends Error {
  override readonly name = "StatesError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
