import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";

/** A stored blob. */
export interface StoredBlob {
  readonly container: string;
  readonly name: string;
  readonly headers: IncomingMessage["headers"];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly data: any;
}

const ACCOUNT = "account1";
const KEY = Buffer.alloc(64, 5).toString("base64");
const SIGNATURE = "sv=2021-12-02&sp=cw&sig=c2lnbmVk%3D";

/** A storage account that implements Put Blob: requests signed by its key, or with a shared access signature. */
export class BlobStoragePeer {
  readonly blobs: StoredBlob[] = [];
  /** Statuses with which the next requests fail. */
  readonly failures: number[] = [];
  readonly #containers: readonly string[];
  readonly #server: Server;

  private constructor(containers: readonly string[]) {
    this.#containers = containers;
    this.#server = createServer(async (request, response) => {
      response.writeHead(this.#put(request, await buffer(request))).end();
    });
  }

  static async start(...containers: string[]): Promise<BlobStoragePeer> {
    const peer = new BlobStoragePeer(containers);
    peer.#server.listen(0, "127.0.0.1");
    await once(peer.#server, "listening");
    return peer;
  }

  /** Credentials for this account. The server rejects other keys. */
  connectionString(key = KEY): string {
    return `AccountName=${ACCOUNT};AccountKey=${key};BlobEndpoint=${this.#origin}/`;
  }

  /** Credentials with fewer rights than the account. */
  get sharedAccess(): string {
    return `BlobEndpoint=${this.#origin};SharedAccessSignature=${SIGNATURE}`;
  }

  get #origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.close();
    await once(this.#server, "close");
  }

  /** @returns the status of the response. */
  #put(request: IncomingMessage, content: Buffer): number {
    const { pathname, search } = new URL(request.url ?? "", this.#origin);
    const trouble = this.failures.shift();
    if (trouble !== undefined) return trouble;
    if (search !== `?${SIGNATURE}` && request.headers.authorization !== sharedKeyHeader(request, pathname)) return 403;
    const [, container = "", ...rest] = pathname.split("/").map(decodeURIComponent);
    if (!this.#containers.includes(container)) return 404;
    if (request.method !== "PUT" || request.headers["x-ms-blob-type"] !== "BlockBlob") return 400;
    const text = request.headers["x-ms-blob-content-encoding"] === "gzip" ? gunzipSync(content) : content;
    const data = JSON.parse(text.toString("utf8"));
    this.blobs.push({ container, name: rest.join("/"), headers: request.headers, data });
    return 201;
  }
}

/** The Authorization header of a request, by the published rule (Authorize with Shared Key, 2015-02-21 and later). */
function sharedKeyHeader({ method, headers }: IncomingMessage, pathname: string): string {
  const standard = ["content-encoding", "content-language", "content-length", "content-md5", "content-type", "date"];
  const conditions = ["if-modified-since", "if-match", "if-none-match", "if-unmodified-since", "range"];
  const lines = [...standard, ...conditions].map((name) => headers[name] ?? "");
  const own = Object.keys(headers)
    .filter((name) => name.startsWith("x-ms-"))
    .sort();
  const canonical = own.map((name) => `${name}:${headers[name]}\n`).join("");
  const text = `${method}\n${lines.join("\n")}\n${canonical}/${ACCOUNT}${pathname}`;
  return `SharedKey ${ACCOUNT}:${createHmac("sha256", Buffer.from(KEY, "base64")).update(text).digest("base64")}`;
}
