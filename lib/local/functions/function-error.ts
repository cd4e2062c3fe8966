/** A failed invocation, with the error fields of Lambda ("Lambda function errors in Node.js"). */
export class FunctionError extends Error {
  override readonly name = "FunctionError";
  readonly errorType: string;
  readonly errorMessage: string;

  constructor(errorType: string, errorMessage: string, options?: ErrorOptions) {
    super(`${errorType}: ${errorMessage}`, options);
    this.errorType = errorType;
    this.errorMessage = errorMessage;
  }

  /** Converts any value that a handler throws. */
  static from(thrown: unknown): FunctionError {
    if (thrown instanceof FunctionError) return thrown;
    if (thrown instanceof Error) return new FunctionError(thrown.name, thrown.message, { cause: thrown });
    return new FunctionError(typeof thrown, String(thrown), { cause: thrown });
  }
}
