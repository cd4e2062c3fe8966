import { connect, type Socket } from "node:net";
import type { AwsResponse } from "./aws-error.ts";
import type { IncomingRequest } from "./aws-request.ts";
import { isForwardedHeader } from "./forwarder.ts";

/** A request without response yet. */
interface PendingRequest {
  readonly message: Buffer;
  readonly resolve: (answer: AwsResponse) => void;
  readonly reject: (error: unknown) => void;
}

/** Maximum number of open connections. Further requests wait for a connection. */
const MAX_CONNECTIONS = 64;

const HEAD_END = Buffer.from("\r\n\r\n");

/**
 * A minimal HTTP client for the DynamoDB engine, whose responses have a content length. It is several times as fast as
 * Node's HTTP client. Each connection carries one request at a time: the engine leaves Nagle's algorithm on (RFC 896),
 * so a second response on the same connection would wait 40 ms for the acknowledgement of the first.
 */
export class DynamodbConnectionPool {
  readonly #host: string;
  readonly #port: number;
  readonly #connections = new Set<Connection>();
  readonly #idle: Connection[] = [];
  readonly #waiting: PendingRequest[] = [];

  /** @param origin for example `http://127.0.0.1:8000` */
  constructor(origin: string) {
    const { hostname, port } = new URL(origin);
    this.#host = hostname;
    this.#port = Number(port) || 80;
  }

  /** Sends a request. @param body replaces the request's body. @throws Error when the engine is unreachable. */
  async send({ method, path, headers, raw }: IncomingRequest, body: Buffer = raw): Promise<AwsResponse> {
    let head = `${method} ${path} HTTP/1.1\r\nhost: ${this.#host}:${this.#port}\r\ncontent-length: ${body.length}\r\n`;
    for (const name in headers)
      if (name !== "content-length" && isForwardedHeader(name)) head += `${name}: ${headers[name]}\r\n`;
    const message = Buffer.concat([Buffer.from(`${head}\r\n`, "latin1"), body]);
    return new Promise((resolve, reject) => this.#ask({ message, resolve, reject }));
  }

  close(): void {
    for (const connection of this.#connections) connection.end();
  }

  #ask(asked: PendingRequest): void {
    const connection = this.#idle.pop() ?? (this.#connections.size < MAX_CONNECTIONS ? this.#connect() : undefined);
    if (connection) connection.ask(asked);
    else this.#waiting.push(asked);
  }

  #connect(): Connection {
    const connection: Connection = new Connection(connect(this.#port, this.#host), {
      onAnswered: () => {
        const next = this.#waiting.shift();
        if (next) connection.ask(next);
        else this.#idle.push(connection);
      },
      onClosed: () => {
        this.#connections.delete(connection);
        const place = this.#idle.indexOf(connection);
        if (place >= 0) this.#idle.splice(place, 1);
        const next = this.#waiting.shift();
        if (next) this.#ask(next);
      },
    });
    this.#connections.add(connection);
    return connection;
  }
}

/** One connection, with one request at a time. */
class Connection {
  readonly #socket: Socket;
  readonly #onAnswered: () => void;
  #asked: PendingRequest | undefined;
  #received: Buffer = Buffer.alloc(0);

  constructor(socket: Socket, { onAnswered, onClosed }: { onAnswered: () => void; onClosed: () => void }) {
    this.#socket = socket.setNoDelay(true);
    this.#onAnswered = onAnswered;
    let reason = new Error("the engine closed the connection");
    socket.on("data", (part) => this.#take(part));
    socket.on("error", (error) => {
      reason = error;
    });
    socket.on("close", () => {
      onClosed();
      this.#asked?.reject(reason);
    });
  }

  ask(asked: PendingRequest): void {
    this.#asked = asked;
    this.#socket.write(asked.message);
  }

  end(): void {
    this.#socket.destroy();
  }

  #take(part: Buffer): void {
    this.#received = this.#received.length === 0 ? part : Buffer.concat([this.#received, part]);
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const { status, headers } = parseHead(this.#received.toString("latin1", 0, headEnd));
    const bodyBegin = headEnd + HEAD_END.length;
    const bodyEnd = bodyBegin + Number(headers["content-length"]);
    if (Number.isNaN(bodyEnd)) this.#socket.destroy(new Error("the engine's response has no content length"));
    if (!(this.#received.length >= bodyEnd)) return;
    const body = this.#received.subarray(bodyBegin, bodyEnd);
    this.#received = this.#received.subarray(bodyEnd);
    const asked = this.#asked;
    this.#asked = undefined;
    asked?.resolve({ status, headers, body });
    this.#onAnswered();
  }
}

function parseHead(head: string): { status: number; headers: Record<string, string> } {
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    if (isForwardedHeader(name)) headers[name] = line.slice(colon + 1).trim();
  }
  return { status: Number(statusLine.split(" ")[1]), headers };
}
