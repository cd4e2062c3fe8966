/** What the person who started the import has to put right; its message is one line that says what. */
export class InputError extends Error {
  override readonly name = "InputError";
}
