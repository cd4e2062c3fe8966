import * as z from "zod";

/** A parsed connection string of an Azure storage account. */
export interface BlobStorageConnection {
  /** URL of the blob service, without a trailing slash. */
  readonly endpoint: string;
  /** The account key, or the query of a shared access signature. */
  readonly credentials: { readonly account: string; readonly key: string } | { readonly signature: string };
}

/**
 * Parses a storage account connection string. It must embed the account key or a shared access signature.
 * @returns the connection, or the reason it is invalid as a text.
 */
export function parseBlobStorageConnection(text: string): BlobStorageConnection | string {
  const settings = new Map<string, string>();
  for (const part of text.split(";").filter((one) => one.trim() !== "")) {
    const [, name = "", value = ""] = /^([A-Za-z]+)=(.*)$/.exec(part.trim()) ?? [];
    if (name === "" || settings.has(name)) return "must be a list of distinct settings";
    settings.set(name, value);
  }
  const account = settings.get("AccountName") ?? "";
  const endpoint = endpointOf(settings, account);
  if (endpoint === undefined) return "must name the account, or a BlobEndpoint that is a URL without query";
  const key = settings.get("AccountKey") ?? "";
  if (account !== "" && /^[A-Za-z0-9+/]{20,}={0,2}$/.test(key)) return { endpoint, credentials: { account, key } };
  const signature = settings.get("SharedAccessSignature")?.replace(/^\?/, "");
  if (signature && /^[\w=&%.~:+-]+$/.test(signature)) return { endpoint, credentials: { signature } };
  return "must embed AccountName and AccountKey, or a SharedAccessSignature";
}

function endpointOf(settings: ReadonlyMap<string, string>, account: string): string | undefined {
  const suffix = settings.get("EndpointSuffix") ?? "core.windows.net";
  const named = settings.get("BlobEndpoint");
  if (named === undefined && !/^[a-z0-9]{3,24}$/.test(account)) return undefined;
  const url = URL.parse(named ?? `https://${account}.blob.${suffix}`);
  if (url?.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") return undefined;
  return url.href.replace(/\/$/, "");
}

/** Returns a connection string without its secrets, for responses. */
export function maskBlobStorageConnection(text: string): string {
  const read = parseBlobStorageConnection(text);
  return typeof read === "string" ? "" : `BlobEndpoint=${read.endpoint};AccountKey=***`;
}

/** Schema of a storage account connection string. */
export const blobStorageConnection = z
  .string()
  .max(2_000)
  .superRefine((text, context) => {
    const read = parseBlobStorageConnection(text);
    if (typeof read === "string") context.addIssue({ code: "custom", message: read });
  });
