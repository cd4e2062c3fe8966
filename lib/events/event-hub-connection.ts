/** What a connection string of an Azure Event Hubs namespace says beside its credentials. */
export interface EventHubConnection {
  /** The namespace, with a port where the string names one. */
  readonly host: string;
  /** Whether it is a peer on this machine, spoken to without TLS. */
  readonly isEmulator: boolean;
}

/**
 * Reads a connection string of a namespace. It must embed a shared access key or signature, and must not name a hub:
 * which one an event goes to is configured beside it. @returns why it can not be used, as a text, else what it says.
 */
export function readEventHubConnection(text: string): EventHubConnection | string {
  const settings = new Map<string, string>();
  for (const part of text
    .trim()
    .split(";")
    .filter((one) => one !== "")) {
    const [, name = "", value = ""] = /^([A-Za-z]+)=(.*)$/.exec(part.trim()) ?? [];
    if (name === "" || settings.has(name)) return "not a list of settings, each once";
    settings.set(name, value);
  }
  const [, host] = /^sb:\/\/([\w.-]+(?::\d{1,5})?)\/?$/.exec(settings.get("Endpoint") ?? "") ?? [];
  if (host === undefined) return "Endpoint must be sb://<namespace>/";
  if (settings.has("EntityPath")) return "must not name an event hub (EntityPath)";
  const isKey = settings.get("SharedAccessKeyName") && settings.get("SharedAccessKey");
  if (!isKey && !settings.get("SharedAccessSignature")) return "must embed SharedAccessKeyName and SharedAccessKey";
  return { host, isEmulator: settings.get("UseDevelopmentEmulator") === "true" };
}
