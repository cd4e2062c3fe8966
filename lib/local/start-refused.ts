/** A reason for which the local cloud can not start, in one line for a person. */
export class StartRefused extends Error {
  override readonly name = "StartRefused";
}

/** What a broken start is to be told as: damaged data in one line, anything else as it is. */
export function refusal(error: unknown, directory: string): unknown {
  const isDamage = error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR";
  if (!isDamage) return error;
  return new StartRefused(`the data in ${directory} is damaged (${error.message}); delete it to start afresh`);
}
