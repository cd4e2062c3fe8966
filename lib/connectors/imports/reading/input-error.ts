/** An error that the person who started the import can correct. The message is one line. */
export class InputError extends Error {
  override readonly name: string = "InputError";
}

/** One file of an export is damaged or truncated; its other files may be whole. */
export class DamagedFile extends InputError {
  override readonly name = "DamagedFile";
}
