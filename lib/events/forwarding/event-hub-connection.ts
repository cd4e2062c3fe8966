/** The parts of an Azure Event Hubs connection string other than its credentials. */
export interface EventHubConnection {
  /** Host of the namespace, with a port where the string contains one. */
  readonly host: string;
  /** Whether it is an emulator on this machine, reached without TLS. */
  readonly isEmulator: boolean;
}

/**
 * Parses a namespace connection string. It must embed a shared access key or signature and must not contain
 * `EntityPath`, because the event hub is a separate setting.
 * @returns the connection, or the reason it is invalid as a text.
 */
export function parseEventHubConnection(text: string): EventHubConnection | string {
  const settings = new Map<string, string>();
  for (const part of text
    .trim()
    .split(";")
    .filter((one) => one !== "")) {
    const [, name = "", value = ""] = /^([A-Za-z]+)=(.*)$/.exec(part.trim()) ?? [];
    if (name === "" || settings.has(name)) return "must be a list of distinct settings";
    settings.set(name, value);
  }
  const [, host] = /^sb:\/\/([\w.-]+(?::\d{1,5})?)\/?$/.exec(settings.get("Endpoint") ?? "") ?? [];
  if (host === undefined) return "Endpoint must be sb://<namespace>/";
  if (settings.has("EntityPath")) return "must not name an event hub (EntityPath)";
  const isKey = settings.get("SharedAccessKeyName") && settings.get("SharedAccessKey");
  if (!isKey && !settings.get("SharedAccessSignature")) return "must embed SharedAccessKeyName and SharedAccessKey";
  return { host, isEmulator: settings.get("UseDevelopmentEmulator") === "true" };
}
