import type { UpdateCommand } from "@aws-sdk/lib-dynamodb";

/** The error that the client throws for an answer of DynamoDB. */
interface AnsweredError {
  readonly $fault?: "client" | "server";
}

/**
 * Makes the client send a command again only after an error that says that it had no effect, such as throttling. By
 * default the client also repeats a command whose answer was lost, and a write without a condition then takes effect
 * twice.
 * @returns the command, which throws an Error when its outcome is unknown.
 */
export function sendOnce(command: UpdateCommand): UpdateCommand {
  command.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        if ((error as AnsweredError).$fault === "client") throw error;
        // Not as the cause: the client also repeats an error whose cause is a lost connection.
        throw new Error(`the outcome of a write is unknown: ${String(error)}`);
      }
    },
    // Within the step of the client's retries. A document command shares its middleware with the command inside it.
    { step: "finalizeRequest", priority: "low", name: "sendOnce", override: true },
  );
  return command;
}
