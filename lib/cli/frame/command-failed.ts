/** A command cannot do its work. The message states the reason in one line for the person who typed it: exit code 1. */
export class CommandFailed extends Error {
  override readonly name = "CommandFailed";
}

/** The arguments of a command contradict each other or the state of this machine: exit code 2. */
export class UsageRefused extends Error {
  override readonly name = "UsageRefused";
}

/** Turns any error of `work` into {@link CommandFailed} with its message, for work on files that a person wrote. */
export async function explainErrors<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsageRefused) throw error;
    throw new CommandFailed(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
