import { readEventHubConnection } from "../events/event-hub-connection.ts";
import { EgressRefused, resolveForEgress } from "./egress.ts";
import { ValidationFailed } from "./errors.ts";

/**
 * Checks that the namespace of a connection string is on the public internet. @returns its host.
 * @throws EgressRefused when it is not.
 */
export async function checkEventHub(connectionString: string): Promise<string> {
  const read = readEventHubConnection(connectionString);
  if (typeof read === "string") throw new EgressRefused(read);
  const scheme = read.isEmulator ? "http" : "https";
  await resolveForEgress(new URL(`${scheme}://${read.host.replace(/:5671$/, "")}`));
  return read.host;
}

/** The namespace that a connection string names. @throws ValidationFailed when events may not be sent there. */
export async function reachableEventHub(connectionString: string): Promise<string> {
  try {
    return await checkEventHub(connectionString);
  } catch (error) {
    const reason = error instanceof EgressRefused ? error.message : "the host can not be resolved";
    throw ValidationFailed.at(["body", "azure_amqp", "connection_string"], `Events can not be sent there: ${reason}`);
  }
}
