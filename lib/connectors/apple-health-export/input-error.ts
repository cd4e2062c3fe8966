/** An error that the person who started the import can correct. The message is one line. */
export class InputError extends Error {
  override readonly name = "InputError";
}
