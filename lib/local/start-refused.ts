/** The local cloud cannot start. The message states the reason in one line for a person. */
export class StartRefused extends Error {
  override readonly name = "StartRefused";
}

/**
 * Converts the error of a failed start: damaged data and unusable files become {@link StartRefused}, any other error stays
 * as it is.
 */
export function toStartRefused(error: unknown, directory: string): unknown {
  const { path } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  if (path?.startsWith(directory)) return new StartRefused(`${path} cannot be used: ${(error as Error).message}`);
  const isDamage = error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR";
  if (!isDamage) return error;
  return new StartRefused(`the data in ${directory} is damaged (${error.message}); delete it to start over`);
}
