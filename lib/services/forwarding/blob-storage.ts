import { createHmac } from "node:crypto";
import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { EgressRefused } from "../../runtime/egress.ts";
import { PermanentError } from "../../runtime/errors.ts";
import { ports } from "../../runtime/ports.ts";
import { checkBlobStorage } from "./broker-egress.ts";
import { type BrokerEvent, encodeBody } from "./broker-event.ts";

/** An event for a container of an Azure storage account. */
export interface BlobEvent extends BrokerEvent {
  readonly container: string;
  readonly connectionString: string;
  /** Write time of the event, ISO 8601. Part of the blob's name, so that a retry writes the same blob. */
  readonly writtenAt: string;
}

const TIMEOUT_MS = 10_000;
const VERSION = "2021-12-02";
/** Status codes that a retry does not change, with their reasons. */
const permanent = new Map([
  [400, "the storage account refused the request"],
  [401, "the storage account refused the credentials"],
  [403, "the storage account refused the credentials"],
  [404, "the container does not exist"],
  [413, "the event is too large for the storage account"],
]);

/** Writes an event as a blob (Azure Blob Storage, Put Blob). @throws PermanentError if a retry cannot succeed. */
export async function putBlob(one: BlobEvent, compression: "auto" | "always"): Promise<void> {
  const status = await ports()
    .outbound(() => sendPutBlob(one, compression))
    .catch((cause) => {
      if (cause instanceof EgressRefused) throw new PermanentError(cause.message, { cause });
      throw new Error("the storage account did not respond", { cause });
    });
  if (status === 201) return;
  const reason = permanent.get(status);
  throw reason ? new PermanentError(reason) : new Error("the storage account did not accept the event");
}

/** @returns the status of the response. */
async function sendPutBlob(one: BlobEvent, compression: "auto" | "always"): Promise<number> {
  const { endpoint, credentials, address } = await checkBlobStorage(one.connectionString);
  const { content, isCompressed } = encodeBody(one, compression);
  const url = new URL(`${endpoint}/${one.container}/${blobName(one, isCompressed)}`);
  const headers = blobHeaders(content, isCompressed);
  const isKey = "key" in credentials;
  if (!isKey) url.search = credentials.signature;
  const options = {
    method: "PUT",
    // Connect to the checked address: another lookup could return another one.
    hostname: address,
    servername: url.hostname,
    headers: {
      ...headers,
      host: url.host,
      ...(isKey ? { authorization: sharedKeyAuthorization(credentials, url, headers) } : {}),
    },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    agent: false as const,
  };
  const sending = (url.protocol === "https:" ? https : http).request(url, options);
  sending.end(content);
  const [answer] = (await once(sending, "response")) as [IncomingMessage];
  answer.destroy();
  return answer.statusCode ?? 0;
}

function blobName({ event, writtenAt }: BlobEvent, isCompressed: boolean): string {
  const name = `${writtenAt}#${event.type}#${event.event_id}.json${isCompressed ? ".gz" : ""}`;
  return [event.team_id, event.user_id || "team", name].map(encodeURIComponent).join("/");
}

function blobHeaders(content: Buffer, isCompressed: boolean): Record<string, string> {
  return {
    "content-length": String(content.length),
    "content-type": "application/json",
    ...(isCompressed ? { "x-ms-blob-content-encoding": "gzip" } : {}),
    "x-ms-blob-type": "BlockBlob",
    "x-ms-date": new Date(ports().clock.now()).toUTCString(),
    "x-ms-version": VERSION,
  };
}

/** Signs a request with the account key (Azure Storage, Authorize with Shared Key). */
function sharedKeyAuthorization(
  { account, key }: { readonly account: string; readonly key: string },
  url: URL,
  headers: Readonly<Record<string, string>>,
): string {
  const own = Object.keys(headers).filter((name) => name.startsWith("x-ms-"));
  // Verb, encoding, language, length, MD5, type, date, four conditions, range. An absent header is an empty line.
  const fixed = ["PUT", "", "", headers["content-length"], "", headers["content-type"], "", "", "", "", "", ""];
  const text = [...fixed, ...own.sort().map((name) => `${name}:${headers[name]}`), `/${account}${url.pathname}`];
  const signature = createHmac("sha256", Buffer.from(key, "base64")).update(text.join("\n")).digest("base64");
  return `SharedKey ${account}:${signature}`;
}
